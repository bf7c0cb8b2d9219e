#include "include/llhttp.h"
#include </usr/share/llhttp/llhttp.c>
