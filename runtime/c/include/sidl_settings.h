/**
 * sidl_settings.h: settings of remote calls from the environment (sidl_settings.def).
 *
 * Invalid values are replaced by the default; but before any remote call sidl.rmi.ProtocolFactory
 * throws what sidl_settings_check reports.
 */
#ifndef SIDL_SETTINGS_H
#define SIDL_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

#include "sidl_ior.h"

#ifdef __cplusplus
extern "C" {
#endif

enum sidl_setting_unit {
  sidl_setting_count,
  sidl_setting_bytes, /**< may have a unit: k, M, G or T, of 1024 each */
  sidl_setting_milliseconds,
  sidl_setting_microseconds,
  sidl_setting_flag /**< on or off */
};

struct sidl_setting_info {
  const char* name; /**< of the environment variable */
  uint64_t standard;
  uint64_t lowest;
  uint64_t highest;
  enum sidl_setting_unit unit;
  const char* option; /**< of `sidl serve`; NULL: none */
  const char* about;
};

/** sidl_setting_RMI_MEMORY is SIDL_RMI_MEMORY, and so on. */
enum sidl_setting {
#define SIDL_SETTING(name, standard, lowest, highest, unit, option, about) sidl_setting_##name,
#include "sidl_settings.def"
#undef SIDL_SETTING
  sidl_setting_number /**< of settings */
};

const struct sidl_setting_info* sidl_setting_get_info(enum sidl_setting setting);

/** The value in this process: from the environment, or the default. */
uint64_t sidl_setting_value(enum sidl_setting setting);

/**
 * Parses a value. FALSE if `text` is not a number within the bounds, or a switch that is neither on
 * nor off; `complaint`, of at least 160 bytes, then says what it must be: "a number from 4096 to
 * 1M, optionally with a unit (k, M, G, T)".
 */
sidl_bool sidl_setting_parse(enum sidl_setting setting, const char* text, uint64_t* value,
                             char* complaint, size_t complaint_size);

/** Sets *_ex if the environment has an invalid value; says which. */
void sidl_settings_check(struct sidl_BaseInterface__object** _ex);

#ifdef __cplusplus
}
#endif
#endif
