// A stand-in for the library of NVIDIA's driver. It carries out the calls of the CUDA host with
// OpenCL, on PoCL, with the kernels whose PTX it is given, so that the host can be tested without a
// GPU. It is stricter than a driver:
//
// - the PTX must be the committed file, and the parameters of its kernels must match their source;
// - calls that need a context fail unless the thread has entered it;
// - copies are asynchronous, so a host that does not wait for them reads data that is not there
//   yet;
// - groups must be as large as the PTX requires, and may use only as much memory as has been
//   allowed;
// - a program with CUDA_LOG that exits while a working device has memory allocated is aborted.
//   (Tests keep their memory to the end.)
//
// It reads environment variables:
//
//     CUDA_FAILS    CALL:NUMBER:ERROR, such as cuLaunchKernel:3:719: this call of the function
//                   fails. From error 700 on, all later calls fail, as after an invalid access
//     CUDA_VERSION  the CUDA version that it supports, such as 12000
//     CUDA_MEMORY   the MiB of memory that the device has
//     CUDA_TOLD     the MiB that it reports as free, if another program takes some of them later
//     CUDA_LOG      a file to which the number of launches is written at the end
//
// Built by the script 'build' in this directory, which defines KERNELS and PTX.

#include "fails.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Declarations of OpenCL, which has no headers if only a driver is installed.
typedef struct object *cl_object;
typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
cl_int clGetPlatformIDs(cl_uint, cl_object *, cl_uint *);
cl_int clGetDeviceIDs(cl_object, cl_ulong, cl_uint, cl_object *, cl_uint *);
cl_object clCreateContext(const intptr_t *, cl_uint, const cl_object *, void *, void *, cl_int *);
cl_object clCreateProgramWithSource(cl_object, cl_uint, const char **, const size_t *, cl_int *);
cl_int clBuildProgram(cl_object, cl_uint, const cl_object *, const char *, void *, void *);
cl_object clCreateKernel(cl_object, const char *, cl_int *);
cl_int clReleaseKernel(cl_object);
cl_int clGetKernelInfo(cl_object, cl_uint, size_t, void *, size_t *);
cl_int clGetKernelArgInfo(cl_object, cl_uint, cl_uint, size_t, void *, size_t *);
cl_int clSetKernelArg(cl_object, cl_uint, size_t, const void *);
cl_object clCreateCommandQueue(cl_object, cl_object, cl_ulong, cl_int *);
cl_int clReleaseCommandQueue(cl_object);
cl_int clFinish(cl_object);
cl_int clFlush(cl_object);
cl_object clCreateBuffer(cl_object, cl_ulong, size_t, void *, cl_int *);
cl_int clReleaseMemObject(cl_object);
cl_int clEnqueueWriteBuffer(cl_object, cl_object, cl_uint, size_t, size_t, const void *, cl_uint, const void *, void *);
cl_int clEnqueueReadBuffer(cl_object, cl_object, cl_uint, size_t, size_t, void *, cl_uint, const void *, void *);
cl_int clEnqueueNDRangeKernel(cl_object, cl_object, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint,
                              const void *, void *);
enum {
    CL_DEVICE_TYPE_CPU = 2,
    CL_MEM_READ_WRITE = 1,
    CL_KERNEL_NUM_ARGS = 0x1191,
    CL_KERNEL_ARG_ADDRESS_QUALIFIER = 0x1196,
    CL_GLOBAL = 0x119B,
    CL_LOCAL = 0x119C,
    CL_PRIVATE = 0x119E,
};

enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_CONTEXT = 201, INVALID_PTX = 218, NOT_FOUND = 500,
       ILLEGAL_ADDRESS = 700, LAUNCH_FAILED = 719,
       SYSTEM_NOT_READY = 802 };
enum { BLOCKING_SYNC = 4, CONTEXT = 0xC0, MODULE = 0xD0, GROUP_MEMORY = 227 << 10, GRANTED_MEMORY = 48 << 10 };
enum { FUNCTIONS = 16, MEMORIES = 1024 };

struct function {
    char name[32];
    cl_uint parameters;
    // The kind of each parameter: u for a number and p for a buffer.
    char kinds[32];
    int has_group_memory;
    unsigned allowed;
};

struct memory {
    uint64_t address;
    size_t bytes;
    cl_object buffer;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cl_object device, context, program;
static char *ptx;
static size_t group_size, total = (size_t)64 << 30, told, used;
static struct function functions[FUNCTIONS];
static int function_count;
static struct memory memories[MEMORIES];
static uint64_t next_address = 0x700000000000;
static unsigned long launches;
static unsigned broken, context_flags;
static _Thread_local uintptr_t current;

// Begins a call, which fails if requested.
#define BEGIN(needs_context) \
    do { \
        unsigned error = (unsigned)FAILURE("CUDA_FAILS", __func__); \
        if (error >= 700 && error < 800) broken = error; \
        if (broken || error) return broken ? broken : error; \
        if (needs_context && current != CONTEXT) return INVALID_CONTEXT; \
    } while (0)

static char *contents(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    size_t length = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(length + 1, 1);
    size_t read = fread(text, 1, length, file);
    fclose(file);
    return read == length ? text : NULL;
}

unsigned cuInit(unsigned flags) {
    cl_object platform;
    cl_int error = 0;
    const char *memory = getenv("CUDA_MEMORY"), *says = getenv("CUDA_TOLD");
    if (memory) total = (size_t)strtoul(memory, NULL, 10) << 20;
    told = says ? (size_t)strtoul(says, NULL, 10) << 20 : total;
    BEGIN(0);
    char *source = contents(KERNELS);
    ptx = contents(PTX);
    if (flags != 0 || !source || !ptx) return INVALID_VALUE;
    const char *size = strstr(ptx, ".maxntid ");
    group_size = size ? strtoul(size + strlen(".maxntid "), NULL, 10) : 0;
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL))
        return NO_DEVICE;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    program = error ? NULL : clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &error);
    free(source);
    return error ? NO_DEVICE : 0;
}

__attribute__((destructor)) static void end(void) {
    const char *log = getenv("CUDA_LOG");
    FILE *file = log ? fopen(log, "w") : NULL;
    if (file) {
        fprintf(file, "%lu\n", launches);
        fclose(file);
        if (used > 0 && !broken) abort();
    }
}

unsigned cuGetErrorName(unsigned error, const char **name) {
    *name = error == INVALID_VALUE      ? "CUDA_ERROR_INVALID_VALUE"
            : error == OUT_OF_MEMORY    ? "CUDA_ERROR_OUT_OF_MEMORY"
            : error == INVALID_CONTEXT  ? "CUDA_ERROR_INVALID_CONTEXT"
            : error == ILLEGAL_ADDRESS  ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : error == LAUNCH_FAILED    ? "CUDA_ERROR_LAUNCH_FAILED"
            : error == SYSTEM_NOT_READY ? "CUDA_ERROR_SYSTEM_NOT_READY"
                                        : NULL;
    return *name ? 0 : INVALID_VALUE;
}

unsigned cuDriverGetVersion(int *version) {
    BEGIN(0);
    const char *given = getenv("CUDA_VERSION");
    *version = given ? atoi(given) : 12000;
    return 0;
}

unsigned cuDeviceGetCount(int *count) {
    BEGIN(0);
    *count = 1;
    return 0;
}

unsigned cuDeviceGet(int *handle, int ordinal) {
    BEGIN(0);
    *handle = 0;
    return ordinal == 0 ? 0 : INVALID_VALUE;
}

unsigned cuDeviceGetName(char *name, int length, int handle) {
    BEGIN(0);
    snprintf(name, (size_t)length, "stand-in %d", handle);
    return 0;
}

unsigned cuDeviceGetAttribute(int *value, unsigned attribute, int handle) {
    BEGIN(0);
    switch (attribute) {
    case 16: *value = 132; break;
    case 75: *value = 9; break;
    case 97: *value = GROUP_MEMORY; break;
    default: *value = 0;
    }
    return handle == 0 ? 0 : INVALID_VALUE;
}

unsigned cuDeviceTotalMem_v2(size_t *bytes, int handle) {
    BEGIN(0);
    *bytes = total;
    return handle == 0 ? 0 : INVALID_VALUE;
}

unsigned cuDevicePrimaryCtxSetFlags_v2(int of, unsigned flags) {
    BEGIN(0);
    context_flags = flags;
    return of == 0 ? 0 : INVALID_VALUE;
}

unsigned cuDevicePrimaryCtxRetain(uintptr_t *handle, int of) {
    BEGIN(0);
    *handle = CONTEXT;
    // A thread that waits for the device should not occupy a CPU.
    return of == 0 && context_flags == BLOCKING_SYNC ? 0 : INVALID_VALUE;
}

unsigned cuCtxSetCurrent(uintptr_t handle) {
    BEGIN(0);
    current = handle;
    return handle == CONTEXT ? 0 : INVALID_CONTEXT;
}

unsigned cuModuleLoadDataEx(uintptr_t *module, const char *image, unsigned count, const unsigned *options,
                            void **values) {
    char build[64];
    unsigned error = (unsigned)FAILURE("CUDA_FAILS", __func__);
    // The buffer of the error log, and its size.
    if (count != 2 || options[0] != 5 || options[1] != 6) return INVALID_VALUE;
    if (error) return snprintf(values[0], (size_t)values[1], "ptxas fatal : a made-up error\n"), error;
    if (broken || current != CONTEXT) return broken ? broken : INVALID_CONTEXT;
    if (strcmp(image, ptx) != 0) return INVALID_PTX;
    snprintf(build, sizeof build, "-cl-std=CL1.2 -cl-kernel-arg-info -DSIZE=%zuu", group_size);
    if (clBuildProgram(program, 1, &device, build, NULL, NULL)) return INVALID_PTX;
    *module = MODULE;
    return 0;
}

// The kinds of the parameters of a kernel, as its PTX declares them.
static int declared(const char *name, char kinds[32]) {
    char entry[64];
    snprintf(entry, sizeof entry, ".entry %s(", name);
    const char *at = strstr(ptx, entry), *end = at ? strchr(at, ')') : NULL;
    size_t count = 0;
    while (end && (at = strstr(at, ".param .u")) != NULL && at < end && count < 31) {
        at += strlen(".param .u");
        kinds[count++] = strncmp(at, "64", 2) == 0 ? 'p' : 'u';
    }
    kinds[count] = 0;
    return end != NULL;
}

unsigned cuModuleGetFunction(struct function **function, uintptr_t module, const char *name) {
    char kinds[32];
    cl_int error;
    BEGIN(1);
    for (int i = 0; i < function_count; i++) {
        *function = &functions[i];
        if (module == MODULE && strcmp(functions[i].name, name) == 0) return 0;
    }
    if (module != MODULE || function_count == FUNCTIONS || !declared(name, kinds)) return NOT_FOUND;
    cl_object kernel = clCreateKernel(program, name, &error);
    if (error) return NOT_FOUND;
    struct function *found = &functions[function_count++];
    snprintf(found->name, sizeof found->name, "%s", name);
    found->allowed = GRANTED_MEMORY;
    cl_uint arguments = 0, qualifier = 0;
    clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL);
    for (cl_uint i = 0; i < arguments && i < 31; i++) {
        if (clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof qualifier, &qualifier, NULL))
            return NOT_FOUND;
        if (qualifier == CL_LOCAL) found->has_group_memory = 1;
        else found->kinds[found->parameters++] = qualifier == CL_GLOBAL ? 'p' : 'u';
    }
    clReleaseKernel(kernel);
    *function = found;
    return strcmp(found->kinds, kinds) == 0 ? 0 : INVALID_PTX;
}

unsigned cuFuncSetAttribute(struct function *function, unsigned attribute, int value) {
    BEGIN(1);
    if (attribute != 8 || value < 0 || value > GROUP_MEMORY) return INVALID_VALUE;
    function->allowed = (unsigned)value;
    return 0;
}

unsigned cuStreamCreate(cl_object *stream, unsigned flags) {
    cl_int error;
    BEGIN(1);
    *stream = clCreateCommandQueue(context, device, 0, &error);
    // If streams waited for each other, threads would also wait for each other.
    return error || flags != 1 ? INVALID_VALUE : 0;
}

unsigned cuStreamSynchronize(cl_object stream) {
    // A failed device writes nothing more. If a copy wrote later, its memory might belong to the
    // caller again.
    cl_int failed = clFinish(stream);
    BEGIN(1);
    return failed ? LAUNCH_FAILED : 0;
}

unsigned cuStreamDestroy_v2(cl_object stream) {
    BEGIN(1);
    return clReleaseCommandQueue(stream) ? INVALID_VALUE : 0;
}

unsigned cuMemGetInfo_v2(size_t *free, size_t *all) {
    BEGIN(1);
    pthread_mutex_lock(&lock);
    *free = used < told ? told - used : 0;
    *all = told;
    pthread_mutex_unlock(&lock);
    return 0;
}

unsigned cuMemAlloc_v2(uint64_t *address, size_t bytes) {
    cl_int error;
    BEGIN(1);
    if (bytes == 0) return INVALID_VALUE;
    unsigned result = OUT_OF_MEMORY;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MEMORIES && used + bytes <= total; i++) {
        if (memories[i].address == 0) {
            cl_object buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error);
            if (error) break;
            memories[i] = (struct memory){next_address, bytes, buffer};
            *address = next_address;
            next_address += (bytes + 4095) / 4096 * 4096;
            used += bytes;
            result = 0;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    return result;
}

// Returns the buffer at an address, or NULL if there is none or it has too few bytes.
static cl_object at(uint64_t address, size_t bytes) {
    cl_object buffer = NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MEMORIES; i++)
        if (address != 0 && memories[i].address == address && bytes <= memories[i].bytes) buffer = memories[i].buffer;
    pthread_mutex_unlock(&lock);
    return buffer;
}

unsigned cuMemFree_v2(uint64_t address) {
    cl_object buffer = at(address, 0);
    if (!buffer) return INVALID_VALUE;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MEMORIES; i++) {
        if (memories[i].address == address) {
            used -= memories[i].bytes;
            memories[i] = (struct memory){0};
        }
    }
    pthread_mutex_unlock(&lock);
    cl_int failed = clReleaseMemObject(buffer);
    BEGIN(1);
    return failed ? INVALID_VALUE : 0;
}

unsigned cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, cl_object stream) {
    BEGIN(1);
    cl_object buffer = at(to, bytes);
    return !buffer || clEnqueueWriteBuffer(stream, buffer, 0, 0, bytes, from, 0, NULL, NULL) ? INVALID_VALUE : 0;
}

unsigned cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, cl_object stream) {
    BEGIN(1);
    cl_object buffer = at(from, bytes);
    return !buffer || clEnqueueReadBuffer(stream, buffer, 0, 0, bytes, to, 0, NULL, NULL) ? INVALID_VALUE : 0;
}

unsigned cuLaunchKernel(struct function *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared_bytes, cl_object stream, void **parameters,
                        void **extra) {
    cl_int error;
    BEGIN(1);
    int one_dimension = grid_x > 0 && grid_y == 1 && grid_z == 1 && block_y == 1 && block_z == 1 && !extra;
    if (!one_dimension || block_x != group_size || shared_bytes > function->allowed) return INVALID_VALUE;
    if (function->has_group_memory != (shared_bytes > 0)) return INVALID_VALUE;
    cl_object kernel = clCreateKernel(program, function->name, &error);
    for (cl_uint i = 0; i < function->parameters && !error; i++) {
        if (function->kinds[i] == 'u') {
            error = clSetKernelArg(kernel, i, sizeof(cl_uint), parameters[i]);
        } else {
            cl_object buffer = at(*(uint64_t *)parameters[i], 1);
            error = buffer ? clSetKernelArg(kernel, i, sizeof buffer, &buffer) : 1;
        }
    }
    if (!error && shared_bytes > 0) error = clSetKernelArg(kernel, function->parameters, shared_bytes, NULL);
    size_t items = (size_t)grid_x * block_x;
    if (!error) error = clEnqueueNDRangeKernel(stream, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (!error) error = clFlush(stream);
    clReleaseKernel(kernel);
    __atomic_add_fetch(&launches, 1, __ATOMIC_RELAXED);
    return error ? INVALID_VALUE : 0;
}
