#include "openapi.h"

#pragma clang diagnostic ignored "-Wc23-extensions"
const unsigned char fxgw_openapi[] = {
#embed "../../docs/openapi.json"
};
const size_t fxgw_openapi_length = sizeof fxgw_openapi;
