/* log.c: see sidl_log.h. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "sidl_log.h"
#include "sidl_printable.h"

/* Usually set once, by the serving program; read without ordering, as nothing depends on it. */
static int most_level = sidl_log_info;
static int as_json;

void sidl_log_configure(enum sidl_log_level most, sidl_bool json) {
  __atomic_store_n(&most_level, (int)most, __ATOMIC_RELAXED);
  __atomic_store_n(&as_json, json != 0, __ATOMIC_RELAXED);
}

sidl_bool sidl_log_enabled(enum sidl_log_level level) {
  return (int)level <= __atomic_load_n(&most_level, __ATOMIC_RELAXED);
}

static const char* level_name(enum sidl_log_level level) {
  switch (level) {
    case sidl_log_error:
      return "error";
    case sidl_log_warning:
      return "warning";
    case sidl_log_info:
      return "info";
    case sidl_log_detail:
      return "detail";
  }
  return "info";
}

/* UTC with milliseconds. */
static void write_time(char* text, size_t size) {
  struct timespec now = {0, 0};
  struct tm utc = {0};
  clock_gettime(CLOCK_REALTIME, &now);
  gmtime_r(&now.tv_sec, &utc);
  const size_t length = strftime(text, size, "%Y-%m-%dT%H:%M:%S", &utc);
  snprintf(text + length, size - length, ".%03dZ", (int)(now.tv_nsec / 1000000));
}

static struct text json_line(const char* time, const char* level, const char* source,
                             const char* message) {
  struct json json = {0};
  json_open(&json, "{");
  json_member(&json, "time", time);
  json_member(&json, "level", level);
  json_member(&json, "source", source);
  json_member(&json, "message", message);
  json_close(&json, "}\n");
  return json.text;
}

/* Messages may contain text of peers, which must not fake log lines or control a terminal. */
static struct text plain_line(const char* time, const char* level, const char* source,
                              const char* message) {
  struct text line = {NULL, 0, 0};
  bool ok = text_append_format(&line, "%s %s %s: ", time, level, source);
  size_t left = strlen(message);
  for (const char* at = message; ok && left > 0;) {
    char escape[SIDL_ESCAPE_SIZE];
    const size_t length = sidl_escape(at, left, escape);
    ok = *escape == '\0' ? text_append(&line, at, length) : text_append_string(&line, escape);
    at += length;
    left -= length;
  }
  if (ok) text_append(&line, "\n", 1);
  return line;
}

void sidl_log(enum sidl_log_level level, const char* source, const char* message) {
  char time[40];
  if (!sidl_log_enabled(level)) return;
  write_time(time, sizeof time);
  const bool json = __atomic_load_n(&as_json, __ATOMIC_RELAXED);
  struct text line = json ? json_line(time, level_name(level), source, message)
                          : plain_line(time, level_name(level), source, message);
  for (size_t done = 0; done < line.length;) {
    const ssize_t written = write(STDERR_FILENO, line.chars + done, line.length - done);
    if (written <= 0) break;
    done += (size_t)written;
  }
  text_free(&line);
}
