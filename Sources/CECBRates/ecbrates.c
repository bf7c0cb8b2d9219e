#include "cecbrates.h"

#pragma clang diagnostic ignored "-Wc23-extensions"
const unsigned char fxgw_ecb_rates[] = {
#embed "ecb-rates.csv"
};
const size_t fxgw_ecb_rates_length = sizeof fxgw_ecb_rates;
