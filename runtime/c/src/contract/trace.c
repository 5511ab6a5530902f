#include "contract/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fork.h"
#include "contract/sample.h"
#include "object/policy.h"
#include "object/throw.h"
#include "sidl_PreViolation_IOR.h"
#include "sidl_io_IOException_IOR.h"

static const char* const DEFAULT_FILE = "ContractTrace.out";

TABLE_LOCK(lock); /* guards both */
static FILE* file;
static enum sidl_EnfTraceLevel__enum level;

static const char* const level_words[] = {
    [sidl_EnfTraceLevel_NONE] = "none",
    [sidl_EnfTraceLevel_CORE] = "core",
    [sidl_EnfTraceLevel_BASIC] = "basic",
    [sidl_EnfTraceLevel_OVERHEAD] = "overhead",
};

static void throw_error(const char* what, const char* name, int error,
                        struct sidl_BaseInterface__object** _ex) {
  THROW(_ex, sidl_io_IOException, "cannot %s the trace of contracts%s%s: %s", what,
        name == NULL ? "" : " ", name == NULL ? "" : name, strerror(error != 0 ? error : EIO));
}

static void write_title(FILE* to, enum sidl_EnfTraceLevel__enum wanted) {
  fprintf(to, "# contract trace 1: %s\n# class;method;method ns", level_words[wanted]);
  if (wanted >= sidl_EnfTraceLevel_BASIC) fputs(";require ns;ensure ns;invariant ns", to);
  if (wanted >= sidl_EnfTraceLevel_OVERHEAD) fputs(";whole call ns", to);
  fputc('\n', to);
}

/* The new file takes the place of the old one, which is closed; false: that one lacks something. */
static bool replace(FILE* opened, enum sidl_EnfTraceLevel__enum wanted) {
  pthread_mutex_lock(&lock);
  FILE* const old = file;
  file = opened;
  level = wanted;
  pthread_mutex_unlock(&lock);
  policy_set_traced(opened != NULL);
  if (old == NULL) return true;
  const bool is_whole = ferror(old) == 0;
  return (fclose(old) == 0) && is_whole;
}

bool trace_start(const char* filename, enum sidl_EnfTraceLevel__enum wanted,
                 struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (wanted < sidl_EnfTraceLevel_NONE || wanted > sidl_EnfTraceLevel_OVERHEAD) {
    THROW(_ex, sidl_PreViolation, "unknown trace level: %d", (int)wanted);
    return false;
  }
  if (wanted == sidl_EnfTraceLevel_NONE) return trace_end(_ex);
  if (filename == NULL || *filename == '\0') filename = DEFAULT_FILE;
  FILE* const opened = fopen(filename, "ae");
  if (opened == NULL) {
    throw_error("open", filename, errno, _ex);
    return false;
  }
  setvbuf(opened, NULL, _IOLBF, 0); /* for readers, and for what a fork leaves in both */
  write_title(opened, wanted);
  if (replace(opened, wanted)) return true;
  throw_error("write", NULL, EIO, _ex);
  return false;
}

bool trace_end(struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (replace(NULL, sidl_EnfTraceLevel_NONE)) return true;
  throw_error("write", NULL, EIO, _ex);
  return false;
}

enum sidl_EnfTraceLevel__enum trace_level(void) {
  pthread_mutex_lock(&lock);
  const enum sidl_EnfTraceLevel__enum now = level;
  pthread_mutex_unlock(&lock);
  return now;
}

void trace_note(const char* text) {
  pthread_mutex_lock(&lock);
  if (file != NULL && text != NULL) {
    fputs("# ", file);
    for (; *text != '\0'; ++text) fputs(*text == '\n' ? "\n# " : (char[]){*text, '\0'}, file);
    fputc('\n', file);
  }
  pthread_mutex_unlock(&lock);
}

/* ---- calls ----------------------------------------------------------------------------------- */

void trace_begin(struct sidl_check* check) {
  memset(check->stages, 0, sizeof check->stages);
  check->stages[0] = sample_now();
}

void trace_stage(struct sidl_check* check, enum trace_stage stage) {
  check->stages[stage] = sample_now();
}

/* `ends`: when the preconditions, the method, the postconditions and the invariants ended. */
static void write_line(const struct sidl_check* check, const uint64_t ends[4]) {
  const struct sidl_contract* const contract = check->contract;
  const uint64_t begin = check->stages[0];
  pthread_mutex_lock(&lock);
  if (file != NULL) {
    fprintf(file, "%s;%s;%" PRIu64, contract->type, contract->name, ends[1] - ends[0]);
    if (level >= sidl_EnfTraceLevel_BASIC) {
      fprintf(file, ";%" PRIu64 ";%" PRIu64 ";%" PRIu64, ends[0] - begin, ends[2] - ends[1],
              ends[3] - ends[2]);
    }
    if (level >= sidl_EnfTraceLevel_OVERHEAD) fprintf(file, ";%" PRIu64, sample_now() - begin);
    fputc('\n', file);
  }
  pthread_mutex_unlock(&lock);
}

void trace_refused(struct sidl_check* check) {
  const uint64_t end = check->stages[TRACE_METHOD];
  write_line(check, (const uint64_t[]){end, end, end, end});
}

void trace_end_call(struct sidl_check* check) {
  const uint64_t* const stages = check->stages;
  const uint64_t end = sample_now();
  const uint64_t ensured = stages[TRACE_INVARIANT] == 0 ? end : stages[TRACE_INVARIANT];
  write_line(check, (const uint64_t[]){stages[TRACE_METHOD], stages[TRACE_ENSURE], ensured, end});
}
