/**
 * sidl_printable.h: makes untrusted texts safe for terminals and logs.
 *
 * Text of a peer or a file may contain characters that control a terminal: move the cursor, end a
 * line and fake the next one, or change the writing direction. Such characters are escaped; all
 * others stay. Header-only.
 */
#ifndef SIDL_PRINTABLE_H
#define SIDL_PRINTABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sidlType.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Size of the buffer of sidl_escape(). */
#define SIDL_ESCAPE_SIZE 8

/**
 * The character at `text`, of which `size` bytes (at least one) may be read. Returns its length; 0
 * if it is not valid UTF-8 (RFC 3629), with the first byte in `*code`.
 */
static inline size_t sidl_read_character(const char* text, size_t size, uint32_t* code) {
  static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char first = (unsigned char)text[0];
  const size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  uint32_t value = length == 1 ? first : first & (0x7Fu >> length);
  size_t i;
  *code = first;
  if (length == 1) return 1;
  if (first < 0xC2 || first > 0xF4 || length > size) return 0;
  for (i = 1; i < length; ++i) {
    const unsigned char next = (unsigned char)text[i];
    if ((next & 0xC0u) != 0x80u) return 0;
    value = value << 6 | (next & 0x3Fu);
  }
  if (value < smallest[length] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) return 0;
  *code = value;
  return length;
}

/** True for control characters, and those that change direction or end lines. */
static inline sidl_bool sidl_is_control(uint32_t code) {
  const sidl_bool is_c0_or_c1 = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const sidl_bool turns = code == 0x061C || code == 0x200E || code == 0x200F ||
                          (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return is_c0_or_c1 || turns || code == 0x2028 || code == 0x2029;
}

/**
 * Examines the character at `text`, of which `size` bytes (at least one) may be read; returns its
 * length in bytes. `escape` is what to write instead: \n, \x1b, \u202e, \xff for an invalid byte;
 * or "" if it stays unchanged.
 */
static inline size_t sidl_escape(const char* text, size_t size, char escape[SIDL_ESCAPE_SIZE]) {
  uint32_t code = 0;
  const size_t length = sidl_read_character(text, size, &code);
  escape[0] = '\0';
  if (length != 0 && !sidl_is_control(code)) return length;
  if (length == 1 && code == '\n') {
    snprintf(escape, SIDL_ESCAPE_SIZE, "\\n");
  } else if (length <= 1) {
    snprintf(escape, SIDL_ESCAPE_SIZE, "\\x%02x", (unsigned)code & 0xFFu);
  } else {
    snprintf(escape, SIDL_ESCAPE_SIZE, "\\u%04x", (unsigned)code & 0xFFFFu);
  }
  return length == 0 ? 1 : length;
}

#ifdef __cplusplus
}
#endif
#endif
