/* The euro foreign exchange reference rates of the European Central Bank since 1999-01-04, newest first: CSV as
   the bank publishes it, with an empty field where there was no fix. Source: European Central Bank, Statistics. */
#ifndef FXGW_CECBRATES_H
#define FXGW_CECBRATES_H
#include <stddef.h>
#include <string.h>
extern const unsigned char fxgw_ecb_rates[];
extern const size_t fxgw_ecb_rates_length;
/* Swift does not import an array without a length. */
static inline const unsigned char *fxgw_ecb_rates_start(void) { return fxgw_ecb_rates; }
/* Bytes from `text` to its next line feed, or `count` if there is none. */
static inline size_t fxgw_ecb_line_length(const unsigned char *text, size_t count) {
    const unsigned char *end = memchr(text, '\n', count);
    return end ? (size_t)(end - text) : count;
}
#endif
