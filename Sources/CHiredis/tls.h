/* The border to TLS: hiredis 1.x carries it, OpenSSL does it. hiredis's own set-up checks the chain but not the name in the
   server's certificate, so the session is made here. */
#ifndef FXGW_CHIREDIS_TLS_H
#define FXGW_CHIREDIS_TLS_H
#include <hiredis/hiredis.h>
#include <hiredis/hiredis_ssl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

enum { FXGW_TLS_READY, FXGW_TLS_NO_CONTEXT, FXGW_TLS_BAD_CA, FXGW_TLS_BAD_CERTIFICATE, FXGW_TLS_BAD_KEY };

/* What all sessions share, or NULL and why. Without `ca` the system's certificates are trusted; `cert` and `key` are both
   NULL or both PEM files. */
static inline SSL_CTX *fxgw_tls_make(const char *ca, const char *cert, const char *key, int *problem) {
    SSL_CTX *tls = SSL_CTX_new(TLS_client_method());
    *problem = FXGW_TLS_NO_CONTEXT;
    if (tls == NULL) return NULL;
    SSL_CTX_set_verify(tls, SSL_VERIFY_PEER, NULL);
    *problem = FXGW_TLS_READY;
    if (SSL_CTX_set_min_proto_version(tls, TLS1_2_VERSION) != 1)
        *problem = FXGW_TLS_NO_CONTEXT;
    else if ((ca ? SSL_CTX_load_verify_file(tls, ca) : SSL_CTX_set_default_verify_paths(tls)) != 1)
        *problem = FXGW_TLS_BAD_CA;
    else if (cert && SSL_CTX_use_certificate_chain_file(tls, cert) != 1)
        *problem = FXGW_TLS_BAD_CERTIFICATE;
    else if (key && (SSL_CTX_use_PrivateKey_file(tls, key, SSL_FILETYPE_PEM) != 1 || SSL_CTX_check_private_key(tls) != 1))
        *problem = FXGW_TLS_BAD_KEY;
    ERR_clear_error();
    if (*problem == FXGW_TLS_READY) return tls;
    SSL_CTX_free(tls);
    return NULL;
}

static inline void fxgw_tls_free(SSL_CTX *tls) { SSL_CTX_free(tls); }

/* Begins TLS on a context that may still be connecting. `host` is the name, or the address, that the certificate must bear.
   Returns a session of the caller's own; or NULL where it fails at once: for the certificate if `refused` is set, as a fast
   server may have shown it by now. Later failures are told by the context. */
static inline SSL *fxgw_tls_begin(SSL_CTX *tls, redisContext *context, const char *host, int is_address, int *refused) {
    *refused = 0;
    SSL *session = SSL_new(tls);
    if (session == NULL) return NULL;
    int is_set = is_address ? X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host)
                            : SSL_set1_host(session, host) && SSL_set_tlsext_host_name(session, host);
    ERR_clear_error();
    SSL_set_connect_state(session);
    if (is_set && redisInitiateSSL(context, session) == REDIS_OK) {
        /* One reference is the context's now. */
        SSL_up_ref(session);
        return session;
    }
    *refused = SSL_get_verify_result(session) != X509_V_OK;
    SSL_free(session);
    return NULL;
}

static inline void fxgw_tls_end(SSL *session) { SSL_free(session); }

/* Whether the server's certificate was refused, by chain, name or time. */
static inline int fxgw_tls_is_refused(const SSL *session) { return SSL_get_verify_result(session) != X509_V_OK; }

static inline int fxgw_tls_is_established(const SSL *session) { return SSL_is_init_finished(session); }
#endif
