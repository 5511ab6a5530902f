/*
 * json.h: writing JSON (RFC 8259), for server inspection and log lines.
 *
 * A zero-initialised struct json is empty. Out of memory is reported only by json_take.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdint.h>

#include "base/text.h"

#pragma GCC visibility push(hidden)

struct json {
  struct text text;
  bool failed;  /* out of memory: all further calls do nothing */
  bool follows; /* the next value follows another one */
};

/* Begins and ends an object ("{", "}") or an array ("[", "]"). */
void json_open(struct json* json, const char* bracket);
void json_close(struct json* json, const char* bracket);

/* What is written next is the value of this key. */
void json_key(struct json* json, const char* key);

/* NULL is written as null; what is not UTF-8 is replaced. */
void json_string(struct json* json, const char* value);
void json_integer(struct json* json, int64_t value);

/* A key and its value in one. */
void json_member(struct json* json, const char* key, const char* value);
void json_number(struct json* json, const char* key, int64_t value);
void json_flag(struct json* json, const char* key, bool value);

/* The text (free), or NULL if memory was exhausted. */
char* json_take(struct json* json);

#pragma GCC visibility pop
#endif
