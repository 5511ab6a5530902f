#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sidl_String.h"

char* sidl_String_alloc(size_t size) {
  return malloc(size == 0 ? 1 : size);
}

void sidl_String_free(char* s) {
  if (((uintptr_t)s & 1) == 0) free(s);
}

size_t sidl_String_strlen(const char* s) {
  return s == NULL ? 0 : strlen(s);
}

void sidl_String_strcpy(char* s1, const char* s2) {
  if (s1 == NULL) return;
  if (s2 == NULL) {
    *s1 = '\0';
  } else {
    strcpy(s1, s2);
  }
}

char* sidl_String_strdup(const char* s) {
  if (s == NULL) return NULL;
  const size_t size = strlen(s) + 1;
  char* const copy = malloc(size);
  if (copy != NULL) memcpy(copy, s, size);
  return copy;
}

char* sidl_String_strndup(const char* s, size_t n) {
  if (s == NULL) return NULL;
  const char* const end = memchr(s, '\0', n);
  const size_t length = end == NULL ? n : (size_t)(end - s);
  if (length == SIZE_MAX) return NULL;
  char* const copy = malloc(length + 1);
  if (copy == NULL) return NULL;
  memcpy(copy, s, length);
  copy[length] = '\0';
  return copy;
}

sidl_bool sidl_String_equals(const char* s1, const char* s2) {
  if (s1 == NULL || s2 == NULL) return s1 == s2;
  return strcmp(s1, s2) == 0;
}

sidl_bool sidl_String_endsWith(const char* s, const char* end) {
  const size_t length = sidl_String_strlen(s);
  const size_t end_length = sidl_String_strlen(end);
  if (end_length == 0) return TRUE;
  return end_length <= length && memcmp(s + length - end_length, end, end_length) == 0;
}

sidl_bool sidl_String_startsWith(const char* s, const char* start) {
  const size_t start_length = sidl_String_strlen(start);
  if (start_length == 0) return TRUE;
  return s != NULL && strncmp(s, start, start_length) == 0;
}

char* sidl_String_substring(const char* s, int index) {
  const size_t length = sidl_String_strlen(s);
  if (index < 0) index = 0;
  return sidl_String_strdup((size_t)index >= length ? "" : s + index);
}

/* Concatenates `count` strings, each of which may be NULL. */
static char* concatenate(int count, const char* const strings[]) {
  size_t length = 0;
  for (int i = 0; i < count; ++i) length += sidl_String_strlen(strings[i]);
  char* const result = malloc(length + 1);
  if (result == NULL) return NULL;
  char* end = result;
  for (int i = 0; i < count; ++i) {
    const size_t part = sidl_String_strlen(strings[i]);
    if (part > 0) memcpy(end, strings[i], part);
    end += part;
  }
  *end = '\0';
  return result;
}

char* sidl_String_concat2(const char* s1, const char* s2) {
  const char* const strings[] = {s1, s2};
  return concatenate(2, strings);
}

char* sidl_String_concat3(const char* s1, const char* s2, const char* s3) {
  const char* const strings[] = {s1, s2, s3};
  return concatenate(3, strings);
}

char* sidl_String_concat4(const char* s1, const char* s2, const char* s3, const char* s4) {
  const char* const strings[] = {s1, s2, s3, s4};
  return concatenate(4, strings);
}

void sidl_String_replace(char* s, char oldchar, char newchar) {
  if (s == NULL) return;
  for (; *s != '\0'; ++s) {
    if (*s == oldchar) *s = newchar;
  }
}
