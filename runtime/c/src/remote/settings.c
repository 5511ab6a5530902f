#include "sidl_settings.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object/throw.h"
#include "sidl_rmi_NetworkException_IOR.h"

static const struct sidl_setting_info settings[] = {
#define SIDL_SETTING(name, standard, lowest, highest, unit, option, about) \
  {"SIDL_" #name, standard, lowest, highest, sidl_setting_##unit, option, about},
#include "sidl_settings.def"
#undef SIDL_SETTING
};

const struct sidl_setting_info* sidl_setting_get_info(enum sidl_setting setting) {
  return &settings[setting];
}

/* Parses "on" or "off"; false if it is neither. */
static bool read_flag(const char* text, uint64_t* value) {
  *value = strcmp(text, "on") == 0 || strcmp(text, "1") == 0;
  return *value != 0 || strcmp(text, "off") == 0 || strcmp(text, "0") == 0;
}

/* Parses "64M" as bytes, or a plain number; false if it is neither. */
static bool read_number(const char* text, bool bytes, uint64_t* value) {
  static const char units[] = "kmgtKMGT";
  char* end = NULL;
  if (*text < '0' || *text > '9') return false;
  errno = 0;
  const unsigned long long number = strtoull(text, &end, 10);
  if (errno != 0) return false;
  *value = number;
  if (bytes && *end != '\0') {
    const char* const unit = strchr(units, *end);
    if (unit == NULL) return false;
    const int shift = 10 * (int)((unit - units) % 4 + 1);
    if (number > UINT64_MAX >> shift) return false;
    *value = (uint64_t)number << shift;
    ++end;
  }
  return *end == '\0';
}

/* Writes a whole number of the largest possible unit: "64M". */
static void write_number(char text[24], uint64_t value, bool bytes) {
  static const char units[] = "kMGT";
  int unit = -1;
  while (bytes && unit < 3 && value != 0 && value % 1024 == 0) {
    value /= 1024;
    ++unit;
  }
  snprintf(text, 24, "%llu%.1s", (unsigned long long)value, unit < 0 ? "" : &units[unit]);
}

sidl_bool sidl_setting_parse(enum sidl_setting setting, const char* text, uint64_t* value,
                             char* complaint, size_t complaint_size) {
  const struct sidl_setting_info* const info = &settings[setting];
  const bool bytes = info->unit == sidl_setting_bytes;
  if (info->unit == sidl_setting_flag) {
    snprintf(complaint, complaint_size, "on or off");
    return read_flag(text, value) ? TRUE : FALSE;
  }
  char lowest[24];
  char highest[24];
  if (read_number(text, bytes, value) && *value >= info->lowest && *value <= info->highest) {
    return TRUE;
  }
  write_number(lowest, info->lowest, bytes);
  write_number(highest, info->highest, bytes);
  snprintf(complaint, complaint_size, "a number from %s to %s%s", lowest, highest,
           bytes ? ", optionally with a unit (k, M, G, T)" : "");
  return FALSE;
}

/* The value in the environment; NULL if unset or empty. */
static const char* text_of(enum sidl_setting setting) {
  const char* const text = getenv(settings[setting].name);
  return text == NULL || *text == '\0' ? NULL : text;
}

uint64_t sidl_setting_value(enum sidl_setting setting) {
  const char* const text = text_of(setting);
  char complaint[1];
  uint64_t value = 0;
  const bool is_set =
      text != NULL && sidl_setting_parse(setting, text, &value, complaint, sizeof complaint);
  return is_set ? value : settings[setting].standard;
}

void sidl_settings_check(struct sidl_BaseInterface__object** _ex) {
  for (int i = 0; i < sidl_setting_number; ++i) {
    const enum sidl_setting setting = (enum sidl_setting)i;
    const char* const text = text_of(setting);
    char complaint[160];
    uint64_t value = 0;
    if (text != NULL && !sidl_setting_parse(setting, text, &value, complaint, sizeof complaint)) {
      THROW(_ex, sidl_rmi_NetworkException,
            "the environment variable %s is '%.40s', but must be %s", settings[i].name, text,
            complaint);
      return;
    }
  }
}
