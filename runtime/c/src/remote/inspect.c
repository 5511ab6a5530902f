#include "remote/inspect.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/reference.h"
#include "object/describe.h"
#include "object/policy.h"
#include "object/statistics.h"
#include "object/throw.h"
#include "remote/exports.h"
#include "remote/instances.h"
#include "remote/servers.h"
#include "remote/tally.h"
#include "sidl_String.h"
#include "sidl_contract.h"
#include "sidl_long_IOR.h"
#include "sidl_protocol.h"
#include "sidl_rmi_ProtocolException_IOR.h"
#include "sidl_rmi_ServerInfo_IOR.h"
#include "sidl_rmi_Statistics.h"
#include "sidl_string_IOR.h"
#include "sidl_version.h"

/* The text, or NULL with *_ex set, also if it was before. */
static char* finish(struct json* json, struct sidl_BaseInterface__object** _ex) {
  json->failed = json->failed || *_ex != NULL;
  char* const text = json_take(json);
  if (text == NULL && *_ex == NULL) throw_memory(_ex);
  return text;
}

/* ---- the server --------------------------------------------------------------------------------
 */

static void write_exports(struct json* json, struct sidl_BaseInterface__object** _ex) {
  struct sidl_string__array* const names = exports_list(_ex);
  json_key(json, "exports");
  json_open(json, "[");
  const int32_t count = sidl_string__array_length(names, 0);
  for (int32_t i = 0; i < count; ++i) json_string(json, names->d_firstElement[i]);
  json_close(json, "]");
  sidl_string__array_deleteRef(names);
}

static void write_published(const char* name, const void* object, void* data) {
  struct json* const json = data;
  if (strcmp(name, INSPECTION_NAME) == 0) return;
  json_open(json, "{");
  json_member(json, "name", name);
  json_member(json, "class", sidl_object_type(object)->name);
  json_close(json, "}");
}

/* Which calls of peers are serialised; protocols read the same setting. */
static const char* serialization(void) {
  static const char* const words[] = {"none", "class", "library"};
  const char* const text = getenv("SIDL_RMI_SERIALIZE");
  for (size_t i = 0; text != NULL && i < sizeof words / sizeof *words; ++i) {
    if (strcmp(text, words[i]) == 0) return words[i];
  }
  return "object";
}

char* inspect_server(struct sidl_BaseInterface__object** _ex) {
  struct json json = {0};
  *_ex = NULL;
  json_open(&json, "{");
  json_member(&json, "shinar", SHINAR_VERSION);
  json_member(&json, "serialize", serialization());
  write_exports(&json, _ex);
  json_key(&json, "published");
  json_open(&json, "[");
  json.failed = !instances_published(write_published, &json) || json.failed;
  json_close(&json, "]");
  json_close(&json, "}");
  return finish(&json, _ex);
}

/* ---- a type ------------------------------------------------------------------------------------
 */

char* inspect_type(const char* name, struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_info* const type = sidl_type_find(name);
  bool found = true;
  *_ex = NULL;
  char* const text =
      type != NULL ? describe_type(type) : describe_value_type(name == NULL ? "" : name, &found);
  if (!found) {
    THROW(_ex, sidl_rmi_ProtocolException, "this server has no type '%s'",
          name == NULL ? "" : name);
  } else if (text == NULL) {
    throw_memory(_ex);
  }
  return text;
}

/* ---- counters ----------------------------------------------------------------------------------
 */

static void write_times(struct json* json, const struct tally* tally) {
  int last = TALLY_CLASSES - 1;
  while (last > 0 && tally->by_time[last] == 0) --last;
  json_key(json, "microseconds");
  json_open(json, "[");
  for (int i = 0; i <= last && tally->calls > 0; ++i) {
    json_open(json, "{");
    if (i < TALLY_CLASSES - 1) json_number(json, "below", (int64_t)1 << i);
    json_number(json, "calls", (int64_t)tally->by_time[i]);
    json_close(json, "}");
  }
  json_close(json, "]");
}

/* The protocol's counters, if it has any. */
static void write_statistics(struct json* json, struct sidl_BaseInterface__object** _ex) {
  struct sidl_string__array* names = NULL;
  struct sidl_long__array* values = NULL;
  struct sidl_rmi_ServerInfo__object* const server = servers_get();
  struct sidl_rmi_Statistics__object* const counting =
      sidl_cast_over(server, &sidl_rmi_Statistics__info);
  json_key(json, "server");
  json_open(json, "{");
  if (counting != NULL) sidl_rmi_Statistics_getStatistics(counting, &names, &values, _ex);
  const int32_t count = sidl_string__array_length(names, 0);
  const bool fits = count == sidl_long__array_length(values, 0);
  for (int32_t i = 0; fits && i < count; ++i) {
    char* const name = sidl_string__array_get1(names, sidl_string__array_lower(names, 0) + i);
    const int32_t at = sidl_long__array_lower(values, 0) + i;
    if (name != NULL) json_number(json, name, sidl_long__array_get1(values, at));
    sidl_String_free(name);
  }
  json_close(json, "}");
  sidl_string__array_deleteRef(names);
  sidl_long__array_deleteRef(values);
  reference_drop(counting);
}

static void write_clause(struct json* json, const struct sidl_contract* contract, uint32_t i) {
  const struct sidl_clause* const clause = &contract->clauses[i];
  const struct sidl_contract_state* const state = &contract->states[i + 1];
  json_open(json, "{");
  json_member(json, "name", clause->name);
  json_member(json, "text", clause->text);
  json_number(json, "checks", (int64_t)__atomic_load_n(&state->checks, __ATOMIC_RELAXED));
  json_number(json, "violations", (int64_t)__atomic_load_n(&state->violations, __ATOMIC_RELAXED));
  json_close(json, "}");
}

static void write_contract(const struct sidl_contract* contract, void* data) {
  struct json* const json = data;
  json_open(json, "{");
  json_member(json, "class", contract->type);
  json_member(json, "method", contract->name);
  json_number(json, "calls",
              (int64_t)__atomic_load_n(&contract->states[0].calls, __ATOMIC_RELAXED));
  json_key(json, "clauses");
  json_open(json, "[");
  for (uint32_t i = 0; i < contract->clause_count; ++i) write_clause(json, contract, i);
  json_close(json, "]");
  json_close(json, "}");
}

/* Which clauses are checked, and what has been counted: nothing if nobody wants any. */
static void write_contracts(struct json* json) {
  if (policy_is_initial()) return;
  const struct policy policy = policy_get();
  char* const name = policy_name(&policy, false);
  json->failed = json->failed || name == NULL;
  json_key(json, "contracts");
  json_open(json, "{");
  json_member(json, "policy", name);
  json_key(json, "methods");
  json_open(json, "[");
  statistics_visit(write_contract, json);
  json_close(json, "]");
  json_close(json, "}");
  free(name);
}

char* inspect_counters(struct sidl_BaseInterface__object** _ex) {
  struct json json = {0};
  const struct tally tally = tally_read();
  *_ex = NULL;
  json_open(&json, "{");
  json_number(&json, "calls", (int64_t)tally.calls);
  json_number(&json, "errors", (int64_t)tally.errors);
  write_times(&json, &tally);
  write_statistics(&json, _ex);
  write_contracts(&json);
  json_close(&json, "}");
  return finish(&json, _ex);
}
