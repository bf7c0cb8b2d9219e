/* The distribution's llhttp, compiled in strict mode. This header bears the library's own name,
   because its C files include "llhttp.h". */
#ifndef FXGW_CLLHTTP_H
#define FXGW_CLLHTTP_H
#define LLHTTP_STRICT_MODE 1
#include </usr/share/include/llhttp/llhttp.h>
#endif
