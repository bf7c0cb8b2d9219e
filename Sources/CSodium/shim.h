/* The border to libsodium: the header as the distribution has it. */
#ifndef FXGW_CSODIUM_SHIM_H
#define FXGW_CSODIUM_SHIM_H
#include <sodium.h>
#endif
