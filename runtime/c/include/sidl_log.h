/**
 * sidl_log.h: the log of a server: lines on stderr, for people or, as JSON, for programs.
 *
 *     2026-11-21T13:34:03.123Z warning simhandle: refusing 127.0.0.1:55812: …
 *     {"time":"2026-11-21T13:34:03.123Z","level":"warning","source":"simhandle","message":"…"}
 *
 * Each line is written atomically, with control characters escaped. Functions may be called from
 * any thread.
 */
#ifndef SIDL_LOG_H
#define SIDL_LOG_H

#include "sidlType.h"

#ifdef __cplusplus
extern "C" {
#endif

enum sidl_log_level {
  sidl_log_error = 1,
  sidl_log_warning = 2, /**< something unusual: a refused peer, a lost session */
  sidl_log_info = 3,    /**< what the server does: listens, stops */
  sidl_log_detail = 4   /**< what its peers do: connections opened and closed */
};

/** Lines up to this level are written (info at first); with `json` true, as JSON. */
void sidl_log_configure(enum sidl_log_level most, sidl_bool json);

/** True if lines of this level are written; to be asked before building an expensive text. */
sidl_bool sidl_log_enabled(enum sidl_log_level level);

/** Writes a line: `source` is the component ("simhandle"), `message` the text. */
void sidl_log(enum sidl_log_level level, const char* source, const char* message);

#ifdef __cplusplus
}
#endif
#endif
