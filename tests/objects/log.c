#include "log.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sidl_String.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char log_text[8192];
static char failing[32];
static int alive;

int ob_enter(const char* hook) {
  pthread_mutex_lock(&lock);
  const int fails = strcmp(hook, failing) == 0;
  const size_t used = strlen(log_text);
  snprintf(log_text + used, sizeof log_text - used, "%s%s\n", hook, fails ? " fails" : "");
  if (strncmp(hook, "ctor", 4) == 0 && !fails) ++alive;
  if (strncmp(hook, "dtor", 4) == 0) --alive;
  pthread_mutex_unlock(&lock);
  return fails;
}

void ob_note(char* text) {
  pthread_mutex_lock(&lock);
  const size_t used = strlen(log_text);
  snprintf(log_text + used, sizeof log_text - used, "%s\n", text == NULL ? "nothing" : text);
  pthread_mutex_unlock(&lock);
  free(text);
}

void ob_fail_at(const char* hook) {
  pthread_mutex_lock(&lock);
  snprintf(failing, sizeof failing, "%s", hook);
  pthread_mutex_unlock(&lock);
}

int ob_alive(void) {
  pthread_mutex_lock(&lock);
  const int result = alive;
  pthread_mutex_unlock(&lock);
  return result;
}

char* ob_take_log(void) {
  pthread_mutex_lock(&lock);
  char* const taken = sidl_String_strdup(log_text);
  log_text[0] = '\0';
  pthread_mutex_unlock(&lock);
  return taken;
}

char* ob_before(const char* text, char* rest) {
  if (rest == NULL) return NULL;
  char* const result = sidl_String_concat2(text, rest);
  free(rest);
  return result;
}
