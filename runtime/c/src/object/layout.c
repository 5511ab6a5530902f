#include "object/layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/fork.h"
#include "base/text.h"
#include "object/layout_difference.h"
#include "object/library.h"
#include "object/throw.h"
#include "object/type_refs.h"
#include "sidl_BaseClass_IOR.h"
#include "sidl_NotImplementedException_IOR.h"

const struct sidl_type_info* layout_part(const struct sidl_type_info* type, uint64_t id) {
  for (const struct sidl_type_info* t = type; t != NULL; t = t->parent) {
    if (t->id == id) return t;
  }
  for (uint16_t f = 0; f < type->facet_count; ++f) {
    if (type->facets[f].type->id == id) return type->facets[f].type;
  }
  if (id == sidl_BaseInterface__info.id) return &sidl_BaseInterface__info;
  return id == sidl_BaseClass__info.id ? &sidl_BaseClass__info : NULL;
}

/*
 * ---- sets of pairs ------------------------------------------------------------------------------
 * In insertion order, with a hash table.
 */

struct pair {
  const void* user; /* sidl_type_info, or sidl_struct_info */
  const void* provider;
  bool is_struct;
  bool is_ours; /* the first pair's provider is the user here: it gets objects as arguments */
};

struct pairs {
  struct pair* items;
  size_t* table; /* positions in items, plus one */
  size_t count;
  size_t mask; /* table size minus one; the table is at most half full */
};

static size_t slot_of(const struct pairs* pairs, const struct pair* pair) {
  uint64_t hash = (uintptr_t)pair->user * 3 + (uintptr_t)pair->provider * 5 + pair->is_ours;
  hash = (hash ^ (hash >> 29)) * UINT64_C(0xBF58476D1CE4E5B9);
  size_t i = (size_t)(hash >> 20) & pairs->mask;
  for (; pairs->table[i] != 0; i = (i + 1) & pairs->mask) {
    const struct pair* const other = &pairs->items[pairs->table[i] - 1];
    if (other->user == pair->user && other->provider == pair->provider &&
        other->is_ours == pair->is_ours) {
      break;
    }
  }
  return i;
}

static bool pairs_have(const struct pairs* pairs, const struct pair* pair) {
  return pairs->table != NULL && pairs->table[slot_of(pairs, pair)] != 0;
}

static bool pairs_grow(struct pairs* pairs) {
  const size_t room = pairs->table == NULL ? 32 : 2 * (pairs->mask + 1);
  struct pair* const items = realloc(pairs->items, room / 2 * sizeof *items);
  if (items == NULL) return false;
  pairs->items = items;
  size_t* const table = calloc(room, sizeof *table);
  if (table == NULL) return false;
  free(pairs->table);
  pairs->table = table;
  pairs->mask = room - 1;
  for (size_t i = 0; i < pairs->count; ++i) table[slot_of(pairs, &items[i])] = i + 1;
  return true;
}

/* False: no memory. */
static bool pairs_add(struct pairs* pairs, struct pair pair) {
  if (pairs_have(pairs, &pair)) return true;
  const bool is_full = pairs->table == NULL || pairs->count == (pairs->mask + 1) / 2;
  if (is_full && !pairs_grow(pairs)) return false;
  pairs->items[pairs->count] = pair;
  pairs->table[slot_of(pairs, &pair)] = ++pairs->count;
  return true;
}

static void pairs_free(struct pairs* pairs) {
  free(pairs->items);
  free(pairs->table);
}

/* ---- results ------------------------------------------------------------------------- */

TABLE_LOCK(lock);
static struct pairs fitting;   /* user may use provider */
static struct pairs differing; /* it may not, permanently */
static struct pairs provided;  /* user: description of a class that has had objects */
/*
 * provider lacks methods at its end that user's code may call on objects it is given: allowed as
 * long as no objects of that description are made.
 */
static struct pairs lacking;

static bool is_known(const struct pairs* pairs, const struct sidl_type_info* user,
                     const struct sidl_type_info* provider) {
  const struct pair pair = {user, provider, false, false};
  pthread_mutex_lock(&lock);
  const bool known = pairs_have(pairs, &pair);
  pthread_mutex_unlock(&lock);
  return known;
}

static bool is_fitting(const struct sidl_type_info* user, const struct sidl_type_info* provider) {
  return is_known(&fitting, user, provider);
}

/* ---- comparing ----------------------------------------------------------------------------------
 * A list of pairs that grows while it is worked off, so types may mention each other in circles.
 */

struct comparison {
  struct pairs pairs;
  struct pairs lacking;
  char* difference;
  bool is_exchanged; /* the difference's "one" is the first pair's provider */
  bool out_of_memory;
};

static bool same(const struct pair* pair) {
  if (pair->user == pair->provider) return true;
  const struct sidl_type_info* const user = pair->user;
  const struct sidl_type_info* const provider = pair->provider;
  return !pair->is_struct && user->layout == provider->layout && user->id == provider->id;
}

static void add(struct comparison* c, struct pair pair) {
  if (!same(&pair) && !pairs_add(&c->pairs, pair)) c->out_of_memory = true;
}

/* `gives`: values go from provider to user, `takes`: the other way. */
static void add_ref(struct comparison* c, const struct pair* of, const struct sidl_type_ref* user,
                    const struct sidl_type_ref* provider, bool gives, bool takes) {
  const bool is_array = is_array_kind(user->kind);
  const bool is_struct = (is_array ? user->element : user->kind) == sidl_kind_struct;
  if (user->object == NULL && !is_struct) return;
  const void* const a = is_struct ? (const void*)user->structure : user->object;
  const void* const b = is_struct ? (const void*)provider->structure : provider->object;
  /* elements of an array can be replaced by both sides */
  if (gives || is_array) add(c, (struct pair){a, b, is_struct, of->is_ours});
  if (takes || is_array) add(c, (struct pair){b, a, is_struct, !of->is_ours});
}

static void add_method(struct comparison* c, const struct pair* of,
                       const struct sidl_method_info* user,
                       const struct sidl_method_info* provider) {
  if (user == provider) return;
  add_ref(c, of, &user->result, &provider->result, true, false);
  for (int32_t i = 0; i < user->arg_count; ++i) {
    const uint8_t mode = user->args[i].mode;
    add_ref(c, of, &user->args[i].type, &provider->args[i].type, mode != sidl_mode_in,
            mode != sidl_mode_out);
  }
}

/* The structs are equal, as ensured by digests, but the types they refer to may not be. */
static void add_members(struct comparison* c, const struct pair* pair) {
  const struct sidl_struct_info* const user = pair->user;
  const struct sidl_struct_info* const provider = pair->provider;
  for (int32_t i = 0; i < user->member_count && i < provider->member_count; ++i) {
    add_ref(c, pair, &user->members[i].type, &provider->members[i].type, true, false);
  }
}

static void add_mentioned(struct comparison* c, const struct pair* pair) {
  const struct sidl_type_info* const user = pair->user;
  const struct sidl_type_info* const provider = pair->provider;
  for (uint16_t s = 0; s < user->slot_count; ++s) {
    add_method(c, pair, user->slots[s], provider->slots[s]);
  }
  for (uint16_t s = 0; s < user->static_count; ++s) {
    add_method(c, pair, &user->statics[s], &provider->statics[s]);
  }
  for (const struct sidl_type_info* t = user->parent; t != NULL; t = t->parent) {
    add(c, (struct pair){t, layout_part(provider, t->id), false, pair->is_ours});
  }
  for (uint16_t f = 0; f < user->facet_count; ++f) {
    const struct sidl_type_info* const type = user->facets[f].type;
    if (type == user) continue; /* an interface's proxy is one itself */
    add(c, (struct pair){type, layout_part(provider, type->id), false, pair->is_ours});
  }
}

static bool work_off(struct comparison* c, size_t i) {
  const struct pair pair = c->pairs.items[i]; /* the list moves when it grows */
  if (pair.is_struct) {
    add_members(c, &pair);
    return !c->out_of_memory;
  }
  const struct sidl_type_info* const user = pair.user;
  const struct sidl_type_info* const provider = pair.provider;
  if (!layout_begins_alike(user, provider, &c->difference)) {
    const bool may_lack = pair.is_ours && layout_begins_alike(provider, user, NULL) &&
                          provider->slot_count < user->slot_count;
    c->is_exchanged = !may_lack && pair.is_ours;
    if (!may_lack) return false;
    free(c->difference);
    c->difference = NULL;
    return pairs_add(&c->lacking, pair);
  }
  add_mentioned(c, &pair);
  return !c->out_of_memory;
}

/* ---- with the lock held -------------------------------------------------------------------------
 */

static bool is_provided(const struct sidl_type_info* description) {
  for (size_t i = 0; i < provided.count; ++i) {
    const struct sidl_type_info* const part = layout_part(provided.items[i].user, description->id);
    if (part != NULL && part->layout == description->layout) return true;
  }
  return false;
}

static bool settle(struct comparison* c) {
  for (size_t i = 0; i < c->lacking.count; ++i) {
    const struct sidl_type_info* const provider = c->lacking.items[i].provider;
    if (!is_provided(provider)) continue;
    layout_begins_alike(c->lacking.items[i].user, provider, &c->difference);
    c->is_exchanged = c->lacking.items[i].is_ours;
    return false;
  }
  for (size_t i = 0; i < c->lacking.count; ++i) {
    if (!pairs_add(&lacking, c->lacking.items[i])) return false;
  }
  for (size_t i = 0; i < c->pairs.count; ++i) {
    const struct pair* const pair = &c->pairs.items[i];
    if (pair->is_struct || pairs_have(&c->lacking, pair)) continue;
    if (!pairs_add(&fitting, (struct pair){pair->user, pair->provider, false, false})) return false;
  }
  return true;
}

/* ---- interface ---------------------------------------------------------------------------- */

/* Empties `c`, except the difference, which is returned to the caller. */
static bool compare(struct comparison* c, const struct sidl_type_info* user,
                    const struct sidl_type_info* provider) {
  bool fits = true;
  add(c, (struct pair){user, provider, false, false});
  for (size_t i = 0; i < c->pairs.count && fits; ++i) fits = work_off(c, i);
  fits = fits && !c->out_of_memory;
  if (fits) {
    pthread_mutex_lock(&lock);
    fits = settle(c);
    pthread_mutex_unlock(&lock);
  }
  pairs_free(&c->pairs);
  pairs_free(&c->lacking);
  return fits;
}

static bool is_same(const struct sidl_type_info* a, const struct sidl_type_info* b) {
  return a == b || (a->layout == b->layout && a->id == b->id);
}

/*
 * `provided` only grows, so a difference is permanent. If memory is exhausted it is compared again.
 */
static void keep_difference(const struct sidl_type_info* user,
                            const struct sidl_type_info* provider) {
  pthread_mutex_lock(&lock);
  pairs_add(&differing, (struct pair){user, provider, false, false});
  pthread_mutex_unlock(&lock);
}

bool layout_fits(const struct sidl_type_info* user, const struct sidl_type_info* provider) {
  if (is_same(user, provider) || is_fitting(user, provider)) return true;
  if (is_known(&differing, user, provider)) return false;
  struct comparison c = {.difference = NULL};
  const bool fits = compare(&c, user, provider);
  if (c.difference != NULL) keep_difference(user, provider);
  free(c.difference);
  return fits;
}

/* `a` is what `difference` calls the one. */
static void refuse(const struct sidl_type_info* a, const struct sidl_type_info* b,
                   const char* difference, const struct sidl_type_info* thrown,
                   struct sidl_BaseInterface__object** _ex) {
  char* const one = library_holding(a->cache);
  char* const other = library_holding(b->cache);
  const bool same_version = strcmp(a->version, b->version) == 0;
  throw_note(
      thrown, _ex, __FILE__, __LINE__, __func__,
      "%s: %s (the first) and %s (the second) were generated from different SIDL files%s%s%s%s: "
      "%s. Regenerate and recompile both from the same file",
      a->name, one == NULL ? "the program" : one, other == NULL ? "the program" : other,
      same_version ? "" : ", of versions ", same_version ? "" : a->version,
      same_version ? "" : " and ", same_version ? "" : b->version,
      difference == NULL ? "out of memory while comparing them" : difference);
  free(one);
  free(other);
}

bool layout_check(const struct sidl_type_info* user, const struct sidl_type_info* provider,
                  const struct sidl_type_info* thrown, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (is_same(user, provider) || is_fitting(user, provider)) return true;
  struct comparison c = {.difference = NULL};
  const bool fits = compare(&c, user, provider);
  const struct sidl_type_info* const one = c.is_exchanged ? provider : user;
  if (!fits) refuse(one, one == user ? provider : user, c.difference, thrown, _ex);
  free(c.difference);
  return fits;
}

/* Whether objects have the same size, so that a child's own part begins at the same offset. */
static bool same_memory(const struct sidl_type_info* a, const struct sidl_type_info* b) {
  if (a->slot_count != b->slot_count || a->facet_count != b->facet_count || a->size != b->size ||
      a->data_offset != b->data_offset) {
    return false;
  }
  for (uint16_t f = 0; f < a->facet_count; ++f) {
    if (a->facets[f].type->id != b->facets[f].type->id ||
        a->facets[f].offset != b->facets[f].offset ||
        a->facets[f].type->slot_count != b->facets[f].type->slot_count) {
      return false;
    }
  }
  return true;
}

bool layout_check_parent(const struct sidl_type_info* used, const struct sidl_type_info* parent,
                         struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (is_same(used, parent)) return true;
  if (!same_memory(used, parent)) {
    char* const difference = text_format(
        "%s has more methods or interfaces in one of them, and a class that extends "
        "it "
        "must know all of them",
        used->name);
    refuse(used, parent, difference, &sidl_NotImplementedException__info, _ex);
    free(difference);
    return false;
  }
  return layout_check(used, parent, &sidl_NotImplementedException__info, _ex) &&
         layout_check(parent, used, &sidl_NotImplementedException__info, _ex);
}

bool layout_admit(const struct sidl_type_info* info, struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_info* user = NULL;
  const struct sidl_type_info* provider = NULL;
  *_ex = NULL;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < lacking.count && provider == NULL; ++i) {
    const struct sidl_type_info* const described = lacking.items[i].provider;
    const struct sidl_type_info* const part = layout_part(info, described->id);
    if (part == NULL || part->layout != described->layout) continue;
    user = lacking.items[i].user;
    provider = described;
  }
  const bool known =
      provider != NULL || pairs_add(&provided, (struct pair){info, NULL, false, false});
  pthread_mutex_unlock(&lock);
  if (provider != NULL) {
    char* difference = NULL;
    layout_begins_alike(user, provider, &difference);
    refuse(user, provider, difference, &sidl_NotImplementedException__info, _ex);
    free(difference);
  } else if (!known) {
    throw_memory(_ex);
  }
  return *_ex == NULL;
}
