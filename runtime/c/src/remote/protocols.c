#include "remote/protocols.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/reference.h"
#include "base/text.h"
#include "object/class.h"
#include "object/object.h"
#include "object/throw.h"
#include "sidl_CastException_IOR.h"
#include "sidl_String.h"
#include "sidl_rmi_ConnectException_IOR.h"
#include "sidl_rmi_InstanceHandle.h"
#include "sidl_rmi_MalformedURLException_IOR.h"

struct protocol {
  struct protocol* next;
  char* prefix;
  char* class_name;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
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
  free(p);
}

/* At the end, so that messages name protocols in the order in which they were added. */
static bool add_locked(char* prefix, char* class_name) {
  struct protocol* const p = malloc(sizeof *p);
  if (p == NULL || prefix == NULL || class_name == NULL) {
    free(prefix);
    free(class_name);
    free(p);
    return false;
  }
  *p = (struct protocol){NULL, prefix, class_name};
  struct protocol** end = &protocols;
  while (*end != NULL) end = &(*end)->next;
  *end = p;
  return true;
}

/* SIDL_PROTOCOLS="name=Class,…"; what is not of this form is ignored. */
static void read_environment_locked(const char* text) {
  while (text != NULL && *text != '\0') {
    const size_t length = strcspn(text, ",");
    const char* const equals = memchr(text, '=', length);
    if (equals != NULL) {
      char* const prefix = sidl_String_strndup(text, (size_t)(equals - text));
      struct protocol* const known = prefix == NULL ? NULL : find_locked(prefix);
      char* const name = sidl_String_strndup(equals + 1, length - (size_t)(equals + 1 - text));
      if (known != NULL && name != NULL) {
        free(known->class_name);
        known->class_name = name;
        free(prefix);
      } else {
        add_locked(prefix, name);
      }
    }
    text += length;
    if (*text == ',') ++text;
  }
}

static void initialise_locked(void) {
  if (initialised) return;
  initialised = true;
  add_locked(sidl_String_strdup("simhandle"), sidl_String_strdup("sidlx.rmi.SimHandle"));
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

char* protocols_find(const char* prefix) {
  if (prefix == NULL) return NULL;
  pthread_mutex_lock(&lock);
  initialise_locked();
  const struct protocol* const known = find_locked(prefix);
  char* const name = known == NULL ? NULL : sidl_String_strdup(known->class_name);
  pthread_mutex_unlock(&lock);
  return name;
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

/* ---- handles
 * -------------------------------------------------------------------------------------- */

/* The class for a URL: its protocol is the text before the first character not alphanumeric. */
static char* class_for_url(const char* url, struct sidl_BaseInterface__object** _ex) {
  size_t length = 0;
  while (url != NULL && isalnum((unsigned char)url[length])) ++length;
  if (length == 0 || url[length] == '\0') {
    THROW(_ex, sidl_rmi_MalformedURLException, "\"%s\" is not a URL (protocol://host:port/…)",
          url == NULL ? "" : url);
    return NULL;
  }
  char* const prefix = sidl_String_strndup(url, length);
  char* const name = protocols_find(prefix);
  if (name == NULL) {
    char* const known = known_prefixes();
    THROW(_ex, sidl_rmi_MalformedURLException,
          "unknown protocol \"%s\" in \"%s\"; known are: %s. Others are added by "
          "sidl.rmi.ProtocolFactory.addProtocol or SIDL_PROTOCOLS=name=Class",
          prefix == NULL ? "" : prefix, url, known == NULL ? "none" : known);
    free(known);
  }
  free(prefix);
  return name;
}

/* A new handle object of the class for a URL. */
static struct sidl_rmi_InstanceHandle__object* new_handle(const char* url,
                                                          struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  char* const name = class_for_url(url, _ex);
  if (name == NULL) return NULL;
  const struct sidl_class* const class = class_load_by_name(name, _ex);
  void* const object = class == NULL ? NULL : object_create(class, _ex);
  struct sidl_rmi_InstanceHandle__object* const handle =
      sidl_cast_borrowed(object, &sidl_rmi_InstanceHandle__info);
  if (object != NULL && handle == NULL) {
    THROW(_ex, sidl_CastException, "class %s is not a sidl.rmi.InstanceHandle", name);
    reference_drop(object);
  }
  free(name);
  return handle;
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
