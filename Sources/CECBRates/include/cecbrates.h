/* The euro foreign exchange reference rates of the European Central Bank since 1999-01-04, newest first: CSV as
   the bank publishes it, with an empty field where there was no fix. Source: European Central Bank, Statistics. */
#ifndef FXGW_CECBRATES_H
#define FXGW_CECBRATES_H
#include <stddef.h>
extern const unsigned char fxgw_ecb_rates[];
extern const size_t fxgw_ecb_rates_length;
#endif
