// A stand-in for the OpenCL library. It forwards calls to the real library, except for calls that
// should fail. It has the functions that the OpenCL host calls, and reads two environment
// variables:
//
//     OPENCL_FAILS    CALL:NUMBER:ERROR, such as clSetKernelArg:3:-50: this call of the function
//                     fails; several may be listed
//     OPENCL_IS_GPU   if set, its devices are reported as GPUs
//
// Built by the script 'build' in this directory, which defines OPENCL, the real library.

#include "fails.h"
#include <dlfcn.h>
#include <stdint.h>

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
enum { GPU = 4, DEVICE_TYPE = 0x1000 };

// A function of the real library.
static void *of_library(const char *name) { return dlsym(dlopen(OPENCL, RTLD_NOW), name); }

// A call that returns 0 or an error.
#define HANDS_ON(call, parameters, arguments) \
    cl_int call parameters { \
        cl_int error = FAILURE("OPENCL_FAILS", #call); \
        return error ? error : ((cl_int(*) parameters)of_library(#call))arguments; \
    }

// A call that creates something, or stores an error.
#define CREATES(call, parameters, arguments) \
    void *call parameters { \
        *error = FAILURE("OPENCL_FAILS", #call); \
        return *error ? NULL : ((void *(*) parameters)of_library(#call))arguments; \
    }

HANDS_ON(clGetPlatformIDs, (cl_uint room, void *platforms, void *count), (room, platforms, count))
HANDS_ON(clGetDeviceIDs, (void *platform, cl_ulong kinds, cl_uint room, void *devices, void *count),
         (platform, kinds, room, devices, count))
HANDS_ON(clBuildProgram, (void *program, cl_uint count, void *devices, void *options, void *notify, void *data),
         (program, count, devices, options, notify, data))
HANDS_ON(clGetProgramBuildInfo, (void *program, void *device, cl_uint what, size_t room, void *value, void *size),
         (program, device, what, room, value, size))
HANDS_ON(clSetKernelArg, (void *kernel, cl_uint number, size_t size, void *value), (kernel, number, size, value))
HANDS_ON(clFinish, (void *queue), (queue))
HANDS_ON(clReleaseCommandQueue, (void *queue), (queue))
HANDS_ON(clReleaseMemObject, (void *buffer), (buffer))
HANDS_ON(clEnqueueWriteBuffer,
         (void *queue, void *to, cl_uint blocks, size_t at, size_t size, void *from, cl_uint count, void *events, void *event),
         (queue, to, blocks, at, size, from, count, events, event))
HANDS_ON(clEnqueueReadBuffer,
         (void *queue, void *from, cl_uint blocks, size_t at, size_t size, void *to, cl_uint count, void *events, void *event),
         (queue, from, blocks, at, size, to, count, events, event))
HANDS_ON(clEnqueueNDRangeKernel,
         (void *queue, void *kernel, cl_uint dimensions, void *from, void *items, void *group, cl_uint count, void *events,
          void *event),
         (queue, kernel, dimensions, from, items, group, count, events, event))
CREATES(clCreateContext, (void *properties, cl_uint count, void *devices, void *notify, void *data, cl_int *error),
        (properties, count, devices, notify, data, error))
CREATES(clCreateProgramWithSource, (void *context, cl_uint count, void *sources, void *lengths, cl_int *error),
        (context, count, sources, lengths, error))
CREATES(clCreateKernel, (void *program, void *name, cl_int *error), (program, name, error))
CREATES(clCreateCommandQueue, (void *context, void *device, cl_ulong properties, cl_int *error),
        (context, device, properties, error))
CREATES(clCreateBuffer, (void *context, cl_ulong flags, size_t size, void *memory, cl_int *error),
        (context, flags, size, memory, error))

cl_int clGetDeviceInfo(void *device, cl_uint what, size_t room, void *value, size_t *size) {
    typedef cl_int Call(void *, cl_uint, size_t, void *, size_t *);
    cl_int error = FAILURE("OPENCL_FAILS", __func__);
    if (!error) error = ((Call *)of_library(__func__))(device, what, room, value, size);
    if (!error && value && what == DEVICE_TYPE && getenv("OPENCL_IS_GPU")) *(cl_ulong *)value = GPU;
    return error;
}
