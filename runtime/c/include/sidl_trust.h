/**
 * sidl_trust.h: by which files this process proves who it is, whom it believes, and what its
 * servers allow.
 *
 * Each has an environment variable; what the program sets counts instead. Protocols read the files
 * when they make a connection, or begin to listen; the policy whenever the generation has changed,
 * too. Functions may be called from any thread.
 */
#ifndef SIDL_TRUST_H
#define SIDL_TRUST_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sidl_trust {
  sidl_trust_authorities,        /**< SIDL_TLS_CA: whose certificates servers have (PEM) */
  sidl_trust_certificate,        /**< SIDL_TLS_CERT: this process's own, and the chain (PEM) */
  sidl_trust_key,                /**< SIDL_TLS_KEY: the key of that (PEM) */
  sidl_trust_client_authorities, /**< SIDL_TLS_CLIENT_CA: whose certificates clients must have */
  sidl_trust_revoked,            /**< SIDL_TLS_CRL: certificates that count no longer (PEM) */
  sidl_trust_secret,             /**< SIDL_SECRET_FILE: what servers and clients share */
  sidl_trust_policy              /**< SIDL_POLICY_FILE: what clients of its servers may do (TOML) */
} sidl_trust;

/** The number of enumerators. */
#define sidl_trust_number 7

/** "SIDL_TLS_CA"; NULL if there is no such file. */
const char* sidl_trust_variable(sidl_trust which);

/**
 * Path of the file, to be freed by free(); NULL: none was named, or there is no memory; "": the
 * environment has an empty variable, by mistake: who goes on without a file may let anybody in.
 */
char* sidl_trust_file(sidl_trust which);

/**
 * Names the file for this process; "" or NULL: none, whatever the environment says. 0: no memory.
 */
int sidl_trust_set_file(sidl_trust which, const char* path);

/** Files are read again, for what comes from now on. */
void sidl_trust_reload(void);

/** Changes whenever a file was named, or is to be read again. */
uint32_t sidl_trust_generation(void);

#ifdef __cplusplus
}
#endif
#endif
