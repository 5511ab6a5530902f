#include "object/exception_text.h"

#include <stdlib.h>

#include "sidl_String.h"

/* Of a trace that gets no more lines. */
enum { LONG_TRACE = 1 << 16 };

struct exception_text* exception_text_create(void) {
  struct exception_text* const text = calloc(1, sizeof *text);
  if (text != NULL) pthread_mutex_init(&text->lock, NULL);
  return text;
}

void exception_text_destroy(struct exception_text* text) {
  if (text == NULL) return;
  text_free(&text->note);
  text_free(&text->trace);
  if (text->release != NULL) text->release(text->origin);
  pthread_mutex_destroy(&text->lock);
  free(text);
}

void exception_text_freeze(struct exception_text* text) {
  text->frozen = true;
}

static bool replace(struct exception_text* text, struct text* part, const char* chars) {
  if (text->frozen) return true;
  pthread_mutex_lock(&text->lock);
  part->length = 0;
  const bool ok = text_append_string(part, chars == NULL ? "" : chars);
  pthread_mutex_unlock(&text->lock);
  return ok;
}

bool exception_text_set_note(struct exception_text* text, const char* note) {
  return replace(text, &text->note, note);
}

bool exception_text_set_trace(struct exception_text* text, const char* trace) {
  return replace(text, &text->trace, trace);
}

static bool append(struct text* trace, const char* line) {
  if (trace->length >= LONG_TRACE) return true;
  if (!text_append_string(trace, line) || !text_append(trace, "\n", 1)) return false;
  return trace->length < LONG_TRACE ||
         text_append_string(trace, "(what follows is left out, as the trace is long)\n");
}

bool exception_text_add_line(struct exception_text* text, const char* line) {
  if (text->frozen) return true;
  pthread_mutex_lock(&text->lock);
  const bool ok = append(&text->trace, line == NULL ? "" : line);
  pthread_mutex_unlock(&text->lock);
  return ok;
}

static char* place_text(const char* file, int32_t line, const char* method) {
  const char* const where = method == NULL || *method == '\0' ? "unknown" : method;
  if (file == NULL || *file == '\0') return text_format("in %s", where);
  if (line <= 0) return text_format("in %s at %s", where, file);
  return text_format("in %s at %s:%d", where, file, (int)line);
}

bool exception_text_add_place(struct exception_text* text, const char* file, int32_t line,
                              const char* method) {
  if (text->frozen) return true;
  char* const place = place_text(file, line, method);
  const bool ok = place != NULL && exception_text_add_line(text, place);
  free(place);
  return ok;
}

static char* copy(struct exception_text* text, const struct text* part) {
  pthread_mutex_lock(&text->lock);
  char* const made = sidl_String_strdup(part->chars == NULL ? "" : part->chars);
  pthread_mutex_unlock(&text->lock);
  return made;
}

char* exception_text_note(struct exception_text* text) {
  return text == NULL ? sidl_String_strdup("") : copy(text, &text->note);
}

char* exception_text_trace(struct exception_text* text) {
  return text == NULL ? sidl_String_strdup("") : copy(text, &text->trace);
}
