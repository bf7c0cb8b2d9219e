#include "include/llhttp.h"
#include </usr/share/llhttp/api.c>
#include </usr/share/llhttp/http.c>
