#include "sidl_trust.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char* const variables[sidl_trust_number] = {
    "SIDL_TLS_CA",  "SIDL_TLS_CERT",    "SIDL_TLS_KEY",     "SIDL_TLS_CLIENT_CA",
    "SIDL_TLS_CRL", "SIDL_SECRET_FILE", "SIDL_POLICY_FILE",
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* guards chosen */
static char* chosen[sidl_trust_number];                   /* by the program */
static uint32_t generation;

static int is_known(sidl_trust which) {
  return (unsigned)which < sidl_trust_number;
}

const char* sidl_trust_variable(sidl_trust which) {
  return is_known(which) ? variables[which] : NULL;
}

char* sidl_trust_file(sidl_trust which) {
  const char* path = NULL;
  char* copy = NULL;
  if (!is_known(which)) return NULL;
  pthread_mutex_lock(&mutex);
  path = getenv(variables[which]);
  if (chosen[which] != NULL) path = *chosen[which] != '\0' ? chosen[which] : NULL;
  if (path != NULL) copy = strdup(path);
  pthread_mutex_unlock(&mutex);
  return copy;
}

int sidl_trust_set_file(sidl_trust which, const char* path) {
  char* copy = NULL;
  if (!is_known(which)) return 1;
  copy = strdup(path != NULL ? path : "");
  if (copy == NULL) return 0;
  pthread_mutex_lock(&mutex);
  free(chosen[which]);
  chosen[which] = copy;
  pthread_mutex_unlock(&mutex);
  sidl_trust_reload();
  return 1;
}

void sidl_trust_reload(void) {
  __atomic_fetch_add(&generation, 1, __ATOMIC_RELEASE);
}

uint32_t sidl_trust_generation(void) {
  return __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
}
