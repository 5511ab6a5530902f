#include "base/json.h"

#include <inttypes.h>
#include <string.h>

#include "sidl_printable.h"

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

static void append_escaped(struct json* json, uint32_t code) {
  const char plain[] = {'\\', (char)code};
  if (code == '"' || code == '\\') {
    append(json, plain, sizeof plain);
  } else if (!json->failed) {
    json->failed = !text_append_format(&json->text, "\\u%04x", (unsigned)code);
  }
}

static void append_quoted(struct json* json, const char* value) {
  append(json, "\"", 1);
  for (size_t left = strlen(value); left > 0;) {
    uint32_t code = 0;
    const size_t length = sidl_read_character(value, left, &code);
    const size_t taken = length == 0 ? 1 : length;
    if (length == 0) {
      append_string(json, "\xEF\xBF\xBD"); /* U+FFFD */
    } else if (code == '"' || code == '\\' || sidl_is_control(code)) {
      append_escaped(json, code);
    } else {
      append(json, value, length);
    }
    value += taken;
    left -= taken;
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
