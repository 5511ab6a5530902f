/*
 * short_text.h: how arrays of structs have texts that are as short as names are (sidl_marshal.h): a
 * byte for each that says how long it is, and the texts themselves one after another.
 */
#ifndef REMOTE_SHORT_TEXT_H
#define REMOTE_SHORT_TEXT_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined __SSE2__
#include <emmintrin.h>
#endif

/* What is said of a text, in a byte: its length, or one of these. */
enum { TEXT_LONGEST = 253, TEXT_APART = 254, TEXT_NONE = 255 };

/* At least what a text takes up, and what may be written in its place. */
enum { TEXT_ROOM = 256 };

/*
 * The text, its zero, and another one if the next text would not begin at an odd address, which
 * says that an array keeps it (sidl_String.h); 0 for those that are not there.
 */
static inline size_t text_space(uint8_t code) {
  return (uint8_t)(code + 2) & 0xFE;
}

/* A text's length, or that it is sent apart; its zero, and what is behind it up to the next text.
 */
static inline uint8_t text_end(char* to, size_t length) {
  if (length > TEXT_LONGEST) return TEXT_APART;
  to[length] = '\0';
  to[length + 1] = '\0'; /* a byte up to the next odd address must not be of our memory either */
  return (uint8_t)length;
}

/*
 * Most texts begin where malloc put them, so that they can be read by aligned units: length and
 * bytes in one pass. The unit with the zero may reach beyond the memory of the text, but never
 * beyond its page; sanitizers, which would complain, see single bytes being read.
 */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define TEXT_UNITS 0
#elif defined __has_feature
#define TEXT_UNITS (!__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer))
#else
#define TEXT_UNITS 1
#endif

#if defined __SSE2__
typedef __m128i text_unit;

/* Where the first zero is; the size of a unit if there is none. */
static inline size_t text_unit_length(text_unit unit) {
  const __m128i zeros = _mm_cmpeq_epi8(unit, _mm_setzero_si128());
  return (size_t)__builtin_ctz((unsigned)_mm_movemask_epi8(zeros) | 1u << sizeof unit);
}
#elif __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
typedef uint64_t text_unit;

static inline size_t text_unit_length(text_unit unit) {
  const uint64_t zeros = (unit - 0x0101010101010101) & ~unit & 0x8080808080808080;
  return zeros == 0 ? sizeof unit : (size_t)__builtin_ctzll(zeros) / CHAR_BIT;
}
#else
typedef char text_unit;

static inline size_t text_unit_length(text_unit unit) {
  return unit != '\0';
}
#endif

static inline uint8_t text_put_units(char* to, const char* text) {
  text_unit unit;
  for (size_t at = 0; at < TEXT_ROOM; at += sizeof unit) {
    memcpy(&unit, __builtin_assume_aligned(text + at, sizeof unit), sizeof unit);
    memcpy(to + at, &unit, sizeof unit);
    const size_t length = text_unit_length(unit);
    if (length < sizeof unit) return text_end(to, at + length);
  }
  return TEXT_APART;
}

/* Copies without calling memcpy what is as short as names are. */
static inline void text_copy(char* to, const char* from, size_t length) {
  if (length > 16) {
    memcpy(to, from, length);
  } else if (length >= 8) {
    memcpy(to, from, 8);
    memcpy(to + length - 8, from + length - 8, 8);
  } else if (length >= 4) {
    memcpy(to, from, 4);
    memcpy(to + length - 4, from + length - 4, 4);
  } else {
    for (size_t i = 0; i < length; ++i) to[i] = from[i];
  }
}

/* Puts a text where it is to begin, and there is as much as TEXT_ROOM; returns what is said of it.
 */
static inline uint8_t text_put(char* to, const char* text) {
  if (text == NULL) return TEXT_NONE;
  if (TEXT_UNITS && (uintptr_t)text % sizeof(text_unit) == 0) return text_put_units(to, text);
  const size_t length = strlen(text);
  if (length <= TEXT_LONGEST) text_copy(to, text, length);
  return text_end(to, length);
}

#endif
