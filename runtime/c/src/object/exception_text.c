#include "object/exception_text.h"

#include <stdlib.h>

struct exception_text* exception_text_create(void) {
  return calloc(1, sizeof(struct exception_text));
}

void exception_text_destroy(struct exception_text* text) {
  if (text == NULL) return;
  text_free(&text->note);
  text_free(&text->trace);
  if (text->release != NULL) text->release(text->origin);
  free(text);
}

void exception_text_freeze(struct exception_text* text) {
  text->frozen = true;
}

static bool replace(struct text* text, const char* chars) {
  text->length = 0;
  return text_append_string(text, chars == NULL ? "" : chars);
}

bool exception_text_set_note(struct exception_text* text, const char* note) {
  return text->frozen || replace(&text->note, note);
}

bool exception_text_set_trace(struct exception_text* text, const char* trace) {
  return text->frozen || replace(&text->trace, trace);
}

bool exception_text_add_line(struct exception_text* text, const char* line) {
  if (text->frozen) return true;
  return text_append_string(&text->trace, line == NULL ? "" : line) &&
         text_append(&text->trace, "\n", 1);
}

bool exception_text_add_place(struct exception_text* text, const char* file, int32_t line,
                              const char* method) {
  if (text->frozen) return true;
  const char* const where = method == NULL || *method == '\0' ? "unknown" : method;
  if (file == NULL || *file == '\0') return text_append_format(&text->trace, "in %s\n", where);
  if (line <= 0) return text_append_format(&text->trace, "in %s at %s\n", where, file);
  return text_append_format(&text->trace, "in %s at %s:%d\n", where, file, (int)line);
}

const char* exception_text_note(const struct exception_text* text) {
  return text == NULL || text->note.chars == NULL ? "" : text->note.chars;
}

const char* exception_text_trace(const struct exception_text* text) {
  return text == NULL || text->trace.chars == NULL ? "" : text->trace.chars;
}
