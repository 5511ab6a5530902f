#include "base/json.h"

#include <inttypes.h>
#include <string.h>

static void append(struct json* json, const char* chars, size_t length) {
  if (!json->failed) json->failed = !text_append(&json->text, chars, length);
}

static void append_string(struct json* json, const char* chars) {
  append(json, chars, strlen(chars));
}

static void separate(struct json* json) {
  if (json->follows) append(json, ",", 1);
  json->follows = true;
}

void json_open(struct json* json, const char* bracket) {
  separate(json);
  append_string(json, bracket);
  json->follows = false;
}

void json_close(struct json* json, const char* bracket) {
  append_string(json, bracket);
  json->follows = true;
}

/* Bytes of the UTF-8 character that begins here, 0 if none does. Overlong forms are none. */
static size_t character_length(const unsigned char* at) {
  static const unsigned char second_low[] = {[0xE0 - 0xE0] = 0xA0, [0xF0 - 0xE0] = 0x90};
  if (*at < 0x80) return 1;
  const size_t length = *at < 0xC2 ? 0 : *at < 0xE0 ? 2 : *at < 0xF0 ? 3 : *at < 0xF5 ? 4 : 0;
  for (size_t i = 1; i < length; ++i) {
    if ((at[i] & 0xC0) != 0x80) return 0;
  }
  if (length > 2 && (*at == 0xE0 || *at == 0xF0) && at[1] < second_low[*at - 0xE0]) return 0;
  if (*at == 0xED && at[1] > 0x9F) return 0; /* surrogates */
  if (*at == 0xF4 && at[1] > 0x8F) return 0; /* above U+10FFFF */
  return length;
}

static void append_escaped(struct json* json, unsigned char c) {
  const char plain[] = {'\\', (char)c};
  if (c == '"' || c == '\\') {
    append(json, plain, sizeof plain);
  } else if (!json->failed) {
    json->failed = !text_append_format(&json->text, "\\u%04x", c);
  }
}

static void append_quoted(struct json* json, const char* value) {
  const unsigned char* at = (const unsigned char*)value;
  append(json, "\"", 1);
  while (*at != '\0') {
    const size_t length = character_length(at);
    if (length == 0) {
      append_string(json, "\xEF\xBF\xBD"); /* U+FFFD */
      ++at;
    } else if (length == 1 && (*at < 0x20 || *at == 0x7F || *at == '"' || *at == '\\')) {
      append_escaped(json, *at++);
    } else {
      append(json, (const char*)at, length);
      at += length;
    }
  }
  append(json, "\"", 1);
}

void json_key(struct json* json, const char* key) {
  separate(json);
  append_quoted(json, key);
  append(json, ":", 1);
  json->follows = false;
}

void json_string(struct json* json, const char* value) {
  separate(json);
  if (value == NULL) {
    append_string(json, "null");
  } else {
    append_quoted(json, value);
  }
}

void json_integer(struct json* json, int64_t value) {
  separate(json);
  if (!json->failed) json->failed = !text_append_format(&json->text, "%" PRId64, value);
}

void json_member(struct json* json, const char* key, const char* value) {
  json_key(json, key);
  json_string(json, value);
}

void json_number(struct json* json, const char* key, int64_t value) {
  json_key(json, key);
  json_integer(json, value);
}

void json_flag(struct json* json, const char* key, bool value) {
  json_key(json, key);
  separate(json);
  append_string(json, value ? "true" : "false");
}

char* json_take(struct json* json) {
  char* const chars = json->failed ? NULL : json->text.chars;
  if (json->failed) text_free(&json->text);
  *json = (struct json){0};
  return chars;
}
