/* The border to libcurl: its calls with a variable list of arguments, which Swift can't import, by the type they take. */
#ifndef FXGW_CCURL_SHIM_H
#define FXGW_CCURL_SHIM_H
#include <curl/curl.h>

typedef size_t (*fxgw_curl_receive)(char *bytes, size_t size, size_t count, void *receiver);

static inline CURLcode fxgw_curl_text(CURL *call, CURLoption option, const char *text) {
    return curl_easy_setopt(call, option, text);
}

static inline CURLcode fxgw_curl_number(CURL *call, CURLoption option, long number) {
    return curl_easy_setopt(call, option, number);
}

static inline CURLcode fxgw_curl_lines(CURL *call, CURLoption option, struct curl_slist *lines) {
    return curl_easy_setopt(call, option, lines);
}

/* Who gets the lines of each head, and the bytes of the body. */
static inline CURLcode fxgw_curl_receiver(CURL *call, fxgw_curl_receive head, fxgw_curl_receive body, void *receiver) {
    CURLcode code = curl_easy_setopt(call, CURLOPT_HEADERFUNCTION, head);
    if (code == CURLE_OK) code = curl_easy_setopt(call, CURLOPT_HEADERDATA, receiver);
    if (code == CURLE_OK) code = curl_easy_setopt(call, CURLOPT_WRITEFUNCTION, body);
    if (code == CURLE_OK) code = curl_easy_setopt(call, CURLOPT_WRITEDATA, receiver);
    return code;
}

/* What OpenSSL thought of the certificate: an X509_V_ code, 0 if nothing was wrong with its chain. */
static inline long fxgw_curl_verdict(CURL *call) {
    long verdict = 0;
    curl_easy_getinfo(call, CURLINFO_SSL_VERIFYRESULT, &verdict);
    return verdict;
}
#endif
