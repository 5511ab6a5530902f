#include "object/statistics.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "object/class.h"
#include "object/enforced.h"
#include "object/throw.h"
#include "sidl_io_IOException_IOR.h"

static const char* const DEFAULT_FILE = "ContractStats.out";

static bool write_title(FILE* file, const char* prefix, const char* title) {
  if (title == NULL) return true;
  if (fseek(file, 0, SEEK_END) != 0) return false;
  if (ftell(file) == 0 &&
      fputs("# contract statistics 2\n"
            "# class;method;clause;calls;checks;violations;microseconds\n"
            "# without a clause: calls of the method while it was checked, and its own time\n",
            file) < 0) {
    return false;
  }
  return fprintf(file, "# %s%s%s\n", prefix, *prefix == '\0' ? "" : ": ", title) >= 0;
}

/* ---- lines
 * --------------------------------------------------------------------------------------- */

static uint64_t read(const uint64_t* counter) {
  return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

/* Semicolons separate columns. */
static void write_text(FILE* file, const char* text) {
  for (; *text != '\0'; ++text) fputc(*text == ';' ? ',' : *text, file);
}

static void write_line(FILE* file, const struct sidl_contract* contract,
                       const struct sidl_clause* clause, const struct sidl_contract_state* state) {
  const char* const method = contract->name == NULL ? "" : contract->name;
  fprintf(file, "%s;%s;", contract->type, method);
  if (clause != NULL) write_text(file, clause->name != NULL ? clause->name : clause->text);
  fprintf(file, ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 "\n", read(&state->calls),
          read(&state->checks), read(&state->violations), read(&state->nanoseconds) / 1000);
}

static void write_contract(FILE* file, const struct sidl_contract* contract) {
  const struct sidl_contract_state* const states = contract->states;
  if (read(&states[0].calls) != 0) write_line(file, contract, NULL, &states[0]);
  for (uint32_t i = 0; i < contract->clause_count; ++i) {
    const struct sidl_contract_state* const state = &states[i + 1];
    if (read(&state->calls) == 0 && read(&state->checks) == 0) continue;
    write_line(file, contract, &contract->clauses[i], state);
  }
}

struct writing {
  FILE* file;
  const struct sidl_type_info* type; /* NULL: all */
};

static void write_class(const struct sidl_class* class, void* data) {
  const struct writing* const writing = data;
  const struct sidl_contracts* const contracts = class->contracts;
  if (contracts == NULL) return;
  if (writing->type != NULL && writing->type->id != class->info->id) return;
  for (uint32_t i = 0; i < contracts->count; ++i) {
    write_contract(writing->file, contracts->all[i]);
  }
}

static bool is_checked(const struct sidl_contract* contract) {
  for (uint32_t i = 0; i <= contract->clause_count; ++i) {
    if (read(&contract->states[i].calls) != 0 || read(&contract->states[i].checks) != 0)
      return true;
  }
  return false;
}

struct visiting {
  void (*visit)(const struct sidl_contract* contract, void* data);
  void* data;
};

static void visit_class(const struct sidl_class* class, void* data) {
  const struct visiting* const visiting = data;
  const struct sidl_contracts* const contracts = class->contracts;
  for (uint32_t i = 0; contracts != NULL && i < contracts->count; ++i) {
    if (is_checked(contracts->all[i])) visiting->visit(contracts->all[i], visiting->data);
  }
}

void statistics_visit(void (*visit)(const struct sidl_contract* contract, void* data), void* data) {
  class_each(visit_class, &(struct visiting){visit, data});
}

static void clear_class(const struct sidl_class* class, void* data) {
  const struct sidl_contracts* const contracts = class->contracts;
  const struct sidl_type_info* const type = data;
  if (type != NULL && type->id != class->info->id) return;
  for (uint32_t i = 0; contracts != NULL && i < contracts->count; ++i) {
    const struct sidl_contract* const contract = contracts->all[i];
    memset(contract->states, 0, (contract->clause_count + 1) * sizeof *contract->states);
  }
}

void statistics_clear(const struct sidl_type_info* type) {
  class_each(clear_class, (void*)(uintptr_t)type);
}

bool statistics_append(const char* filename, const char* prefix, const char* title,
                       const struct sidl_type_info* type, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (filename == NULL || *filename == '\0') filename = DEFAULT_FILE;
  FILE* const file = fopen(filename, "ae");
  bool ok = file != NULL && write_title(file, prefix == NULL ? "" : prefix, title);
  if (ok) class_each(write_class, &(struct writing){file, type});
  if (file != NULL && ferror(file) != 0) ok = false;
  const int error = errno;
  if (file != NULL && fclose(file) != 0) ok = false;
  if (!ok) {
    THROW(_ex, sidl_io_IOException, "cannot append contract statistics to \"%s\": %s", filename,
          strerror(file == NULL || error != 0 ? error : EIO));
  }
  return ok;
}
