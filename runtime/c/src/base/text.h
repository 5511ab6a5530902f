/*
 * text.h: growable and formatted texts.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

/* A growing, NUL-terminated text. Zero-initialised it is empty (`chars` NULL). */
struct text {
  char* chars;
  size_t length;
  size_t capacity;
};

/* Each append returns false, with the text unchanged, if memory is exhausted. */
bool text_append(struct text* text, const char* chars, size_t length);
bool text_append_string(struct text* text, const char* string);
bool text_append_format(struct text* text, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
void text_free(struct text* text);

/* A new string (free), or NULL. */
char* text_format(const char* format, ...) __attribute__((format(printf, 1, 2)));
char* text_vformat(const char* format, va_list arguments) __attribute__((format(printf, 1, 0)));

#pragma GCC visibility pop
#endif
