#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct text* text, size_t more) {
  if (more >= SIZE_MAX / 4 - text->length) return false;
  const size_t needed = text->length + more + 1;
  if (needed <= text->capacity) return true;
  size_t capacity = text->capacity == 0 ? 64 : text->capacity;
  while (capacity < needed) capacity *= 2;
  char* const chars = realloc(text->chars, capacity);
  if (chars == NULL) return false;
  text->chars = chars;
  text->capacity = capacity;
  return true;
}

bool text_append(struct text* text, const char* chars, size_t length) {
  if (!reserve(text, length)) return false;
  if (length > 0) memcpy(text->chars + text->length, chars, length);
  text->length += length;
  text->chars[text->length] = '\0';
  return true;
}

bool text_append_string(struct text* text, const char* string) {
  return text_append(text, string, strlen(string));
}

bool text_append_format(struct text* text, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char* const string = text_vformat(format, arguments);
  va_end(arguments);
  if (string == NULL) return false;
  const bool ok = text_append_string(text, string);
  free(string);
  return ok;
}

void text_free(struct text* text) {
  free(text->chars);
  *text = (struct text){NULL, 0, 0};
}

char* text_vformat(const char* format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, arguments);
  char* string = length < 0 ? NULL : malloc((size_t)length + 1);
  if (string != NULL) vsnprintf(string, (size_t)length + 1, format, again);
  va_end(again);
  return string;
}

char* text_format(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char* const string = text_vformat(format, arguments);
  va_end(arguments);
  return string;
}
