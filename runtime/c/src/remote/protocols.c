#include "remote/protocols.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/fork.h"
#include "base/reference.h"
#include "base/text.h"
#include "object/class.h"
#include "object/object.h"
#include "object/throw.h"
#include "sidl_CastException_IOR.h"
#include "sidl_String.h"
#include "sidl_rmi_BindException_IOR.h"
#include "sidl_rmi_ConnectException_IOR.h"
#include "sidl_rmi_InstanceHandle.h"
#include "sidl_rmi_MalformedURLException_IOR.h"
#include "sidl_rmi_Policies_IOR.h"
#include "sidl_rmi_Server_IOR.h"
#include "sidl_settings.h"
#include "sidl_trust.h"

struct protocol {
  struct protocol* next;
  char* prefix;
  char* class_name;
  char* server_name; /* NULL: no server class was added */
};

TABLE_LOCK(lock);
static struct protocol* protocols;
static bool initialised;

/* ---- the table, with the lock held
 * --------------------------------------------------------------- */

static struct protocol* find_locked(const char* prefix) {
  struct protocol* p = protocols;
  while (p != NULL && strcmp(p->prefix, prefix) != 0) p = p->next;
  return p;
}

static void destroy(struct protocol* p) {
  free(p->prefix);
  free(p->class_name);
  free(p->server_name);
  free(p);
}

/* Appends, so that messages list protocols in the order in which they were added. */
static bool add_locked(char* prefix, char* class_name) {
  struct protocol* const p = malloc(sizeof *p);
  if (p == NULL || prefix == NULL || class_name == NULL) {
    free(prefix);
    free(class_name);
    free(p);
    return false;
  }
  *p = (struct protocol){NULL, prefix, class_name, NULL};
  struct protocol** end = &protocols;
  while (*end != NULL) end = &(*end)->next;
  *end = p;
  return true;
}

/* Replaces *name, which is freed, by `by`, which is taken over. */
static void replace(char** name, char* by) {
  free(*name);
  *name = by;
}

/* "Class" or "Class/ServerClass" for a protocol. */
static void read_classes_locked(const char* prefix, const char* text, size_t length) {
  const char* const slash = memchr(text, '/', length);
  const size_t class_length = slash == NULL ? length : (size_t)(slash - text);
  char* const class_name = sidl_String_strndup(text, class_length);
  struct protocol* known = find_locked(prefix);
  if (known == NULL) {
    add_locked(sidl_String_strdup(prefix), class_name);
    known = find_locked(prefix);
  } else if (class_name != NULL) {
    replace(&known->class_name, class_name);
  }
  if (known == NULL || slash == NULL) return;
  replace(&known->server_name, sidl_String_strndup(slash + 1, length - class_length - 1));
}

/* SIDL_PROTOCOLS="name=Class,name=Class/ServerClass,…"; what is not of this form is ignored. */
static void read_environment_locked(const char* text) {
  while (text != NULL && *text != '\0') {
    const size_t length = strcspn(text, ",");
    const char* const equals = memchr(text, '=', length);
    if (equals != NULL) {
      char* const prefix = sidl_String_strndup(text, (size_t)(equals - text));
      const size_t rest = length - (size_t)(equals + 1 - text);
      if (prefix != NULL) read_classes_locked(prefix, equals + 1, rest);
      free(prefix);
    }
    text += length;
    if (*text == ',') ++text;
  }
}

static void initialise_locked(void) {
  static const char standard[] =
      "simhandle=sidlx.rmi.SimHandle/sidlx.rmi.SimpleOrb,"
      "ucx=sidlx.rmi.SimHandle/sidlx.rmi.SimpleOrb";
  if (initialised) return;
  initialised = true;
  read_environment_locked(standard);
  read_environment_locked(getenv("SIDL_PROTOCOLS"));
}

/* ---- the table ---------------------------------------------------------------------------------
 */

bool protocols_add(const char* prefix, const char* class_name) {
  if (prefix == NULL || class_name == NULL) return false;
  pthread_mutex_lock(&lock);
  initialise_locked();
  const struct protocol* const known = find_locked(prefix);
  const bool ok = known != NULL
                      ? strcmp(known->class_name, class_name) == 0
                      : add_locked(sidl_String_strdup(prefix), sidl_String_strdup(class_name));
  pthread_mutex_unlock(&lock);
  return ok;
}

bool protocols_add_server(const char* prefix, const char* class_name) {
  if (prefix == NULL || class_name == NULL) return false;
  pthread_mutex_lock(&lock);
  initialise_locked();
  struct protocol* const known = find_locked(prefix);
  if (known != NULL && known->server_name == NULL) {
    known->server_name = sidl_String_strdup(class_name);
  }
  const bool ok =
      known != NULL && known->server_name != NULL && strcmp(known->server_name, class_name) == 0;
  pthread_mutex_unlock(&lock);
  return ok;
}

bool protocols_remove(const char* prefix) {
  if (prefix == NULL) return false;
  pthread_mutex_lock(&lock);
  initialise_locked();
  struct protocol** at = &protocols;
  while (*at != NULL && strcmp((*at)->prefix, prefix) != 0) at = &(*at)->next;
  struct protocol* const found = *at;
  if (found != NULL) *at = found->next;
  pthread_mutex_unlock(&lock);
  if (found == NULL) return false;
  destroy(found);
  return true;
}

/* A copy of one of the two names; NULL if there is none. */
static char* find(const char* prefix, bool of_server) {
  if (prefix == NULL) return NULL;
  pthread_mutex_lock(&lock);
  initialise_locked();
  const struct protocol* const known = find_locked(prefix);
  const char* const name = known == NULL ? NULL
                           : of_server   ? known->server_name
                                         : known->class_name;
  char* const copy = name == NULL ? NULL : sidl_String_strdup(name);
  pthread_mutex_unlock(&lock);
  return copy;
}

char* protocols_find(const char* prefix) {
  return find(prefix, false);
}

/* "simhandle, ucx"; free. */
static char* known_prefixes(void) {
  struct text list = {NULL, 0, 0};
  pthread_mutex_lock(&lock);
  for (const struct protocol* p = protocols; p != NULL; p = p->next) {
    text_append_format(&list, "%s%s", list.length > 0 ? ", " : "", p->prefix);
  }
  pthread_mutex_unlock(&lock);
  return list.chars;
}

/* ---- handles and servers ------------------------------------------------------------------------
 */

static void throw_no_url(const char* url, struct sidl_BaseInterface__object** _ex) {
  THROW(_ex, sidl_rmi_MalformedURLException,
        "\"%s\" is not a URL (protocol://host:port/…); an example is simhandle://127.0.0.1:0", url);
}

static void throw_unknown(const char* url, const char* prefix,
                          struct sidl_BaseInterface__object** _ex) {
  char* const known = known_prefixes();
  THROW(_ex, sidl_rmi_MalformedURLException,
        "unknown protocol \"%s\" in \"%s\"; the known protocols are: %s. Add others with "
        "sidl.rmi.ProtocolFactory.addProtocol or SIDL_PROTOCOLS=name=Class",
        prefix, url, known == NULL ? "none" : known);
  free(known);
}

static void throw_not_served(const char* url, const char* prefix, const char* class_name,
                             struct sidl_BaseInterface__object** _ex) {
  THROW(_ex, sidl_rmi_MalformedURLException,
        "no server class is registered for the protocol \"%s\" of \"%s\". Register one with "
        "sidl.rmi.ProtocolFactory.addServer or SIDL_PROTOCOLS=%s=%s/ServerClass",
        prefix, url, prefix, class_name);
}

/* The class for a URL: its protocol is the text before the first character not alphanumeric. */
static char* class_for_url(const char* url, bool of_server,
                           struct sidl_BaseInterface__object** _ex) {
  size_t length = 0;
  while (url != NULL && isalnum((unsigned char)url[length])) ++length;
  if (length == 0 || url[length] == '\0') {
    throw_no_url(url == NULL ? "" : url, _ex);
    return NULL;
  }
  char* const prefix = sidl_String_strndup(url, length);
  char* const speaker = protocols_find(prefix);
  char* const name = of_server ? find(prefix, true) : speaker;
  if (speaker == NULL && strstr(url, "://") == NULL) {
    throw_no_url(url, _ex);
  } else if (speaker == NULL) {
    throw_unknown(url, prefix == NULL ? "" : prefix, _ex);
  } else if (name == NULL) {
    throw_not_served(url, prefix, speaker, _ex);
  }
  free(prefix);
  if (name != speaker) free(speaker);
  return name;
}

/* A new object of the class for a URL, seen as `type`. */
static void* new_object(const char* url, bool of_server, const struct sidl_type_info* type,
                        struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  sidl_settings_check(_ex);
  char* const name = *_ex != NULL ? NULL : class_for_url(url, of_server, _ex);
  if (name == NULL) return NULL;
  const struct sidl_class* const class = class_load_by_name(name, _ex);
  void* const object = class == NULL ? NULL : object_create(class, _ex);
  void* const view = sidl_cast_borrowed(object, type);
  if (object != NULL && view == NULL) {
    THROW(_ex, sidl_CastException, "class %s is not a %s", name, type->name);
    reference_drop(object);
  }
  free(name);
  return view;
}

static struct sidl_rmi_InstanceHandle__object* new_handle(const char* url,
                                                          struct sidl_BaseInterface__object** _ex) {
  return new_object(url, false, &sidl_rmi_InstanceHandle__info, _ex);
}

/* A protocol that has no policies must not seem to obey one. */
struct sidl_rmi_Server__object* protocols_create_server(const char* url,
                                                        struct sidl_BaseInterface__object** _ex) {
  struct sidl_rmi_Server__object* const server = new_object(url, true, &sidl_rmi_Server__info, _ex);
  char* const policy = sidl_trust_file(sidl_trust_policy);
  const bool is_named = policy != NULL;
  free(policy);
  if (server == NULL || !is_named) return server;
  if (sidl_cast_borrowed(server, &sidl_rmi_Policies__info) != NULL) return server;
  THROW(
      _ex, sidl_rmi_BindException,
      "a policy is named (%s), and the protocol of '%s' has none: its server would serve everybody",
      sidl_trust_variable(sidl_trust_policy), url);
  reference_drop(server);
  return NULL;
}

/* The handle if it was initialised, else NULL with *_ex set. */
static struct sidl_rmi_InstanceHandle__object* checked(
    struct sidl_rmi_InstanceHandle__object* handle, sidl_bool ok, const char* url,
    struct sidl_BaseInterface__object** _ex) {
  if (*_ex == NULL && !ok) {
    THROW(_ex, sidl_rmi_ConnectException, "the protocol could not reach \"%s\"", url);
  }
  if (*_ex == NULL) return handle;
  reference_drop(handle);
  return NULL;
}

struct sidl_rmi_InstanceHandle__object* protocols_create(const char* url, const char* type_name,
                                                         struct sidl_BaseInterface__object** _ex) {
  struct sidl_rmi_InstanceHandle__object* const handle = new_handle(url, _ex);
  if (handle == NULL) return NULL;
  const sidl_bool ok = sidl_rmi_InstanceHandle_initCreate(handle, url, type_name, _ex);
  return checked(handle, ok, url, _ex);
}

struct sidl_rmi_InstanceHandle__object* protocols_connect(const char* url, const char* type_name,
                                                          bool add_ref,
                                                          struct sidl_BaseInterface__object** _ex) {
  struct sidl_rmi_InstanceHandle__object* const handle = new_handle(url, _ex);
  if (handle == NULL) return NULL;
  const sidl_bool ok = sidl_rmi_InstanceHandle_initConnect(handle, url, type_name, add_ref, _ex);
  return checked(handle, ok, url, _ex);
}
