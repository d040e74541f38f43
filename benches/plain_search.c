/* The baseline search: places queens row by row on the open squares of a bitmask, and counts half of the board twice.
 * docs/speed.md reports times relative to it: time it in the same run as the program under test.
 *
 *     gcc -O3 -march=native benches/plain_search.c -o target/plain_search && time target/plain_search 16
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t board;

static uint64_t search(uint32_t columns, uint32_t left, uint32_t right)
{
    uint64_t solutions = 0;
    uint32_t open = board & ~(columns | left | right);
    while (open) {
        uint32_t queen = open & -open;
        open ^= queen;
        uint32_t next = columns | queen;
        solutions += next == board ? 1 : search(next, (left | queen) << 1, (right | queen) >> 1);
    }
    return solutions;
}

int main(int argc, char **argv)
{
    int n = argc == 2 ? atoi(argv[1]) : 0;
    if (n < 2 || n > 30) {
        fprintf(stderr, "usage: plain_search N (2 to 30)\n");
        return 2;
    }
    board = (UINT32_C(1) << n) - 1;
    uint64_t half = 0;
    for (int c = 0; c < n / 2; c++) {
        uint32_t queen = UINT32_C(1) << c;
        half += search(queen, queen << 1, queen >> 1);
    }
    if (n & 1) { /* the first queen in the middle column, the second on one side of it */
        uint32_t middle = UINT32_C(1) << (n / 2);
        for (int c = 0; c < n / 2 - 1; c++) {
            uint32_t queen = UINT32_C(1) << c;
            half += search(middle | queen, ((middle << 1) | queen) << 1, ((middle >> 1) | queen) >> 1);
        }
    }
    printf("%llu\n", (unsigned long long)(2 * half));
    return 0;
}
