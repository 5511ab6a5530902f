/*
 * What a program has used before a fork, what its child uses after it, and what it does itself
 * then: objects of its own and of a server, in C. (tests/protocols/wire/fork.cpp has more of both.)
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sidl_Exception.h"
#include "sidl_rmi_Ticket.h"
#include "ty_Raws.h"

enum { PATIENCE = 20 }; /* seconds, for what takes milliseconds */

static const char* server;
static int failures;

static void check(bool holds, const char* before, const char* what) {
  if (holds) return;
  fprintf(stderr, "does not hold: %s: %s\n", before, what);
  ++failures;
}

static ty_Raws make(const char* url) {
  sidl_BaseInterface ex = NULL;
  const struct sidl_type_info* const type = sidl_type_find("ty.InC");
  void* const object = url == NULL ? sidl_create(type, &ex) : sidl_create_remote(type, url, &ex);
  return ex == NULL ? ty_Raws__cast(object, &ex) : NULL;
}

static double x[] = {1, 2}, y[] = {3, 4};

static bool answers(ty_Raws object) {
  sidl_BaseInterface ex = NULL;
  return object != NULL && ty_Raws_dot(object, x, y, 2, &ex) == 11 && ex == NULL;
}

static bool receives(ty_Raws object, sidl_rmi_Ticket ticket) {
  sidl_BaseInterface ex = NULL;
  const bool right = ty_Raws_dot_recv(object, ticket, &ex) == 11 && ex == NULL;
  sidl_rmi_Ticket_deleteRef(ticket, &ex);
  return right;
}

static bool answers_in_halves(ty_Raws object) {
  sidl_BaseInterface ex = NULL;
  sidl_rmi_Ticket const ticket = ty_Raws_dot_send(object, x, y, 2, &ex);
  return ex == NULL && receives(object, ticket);
}

/* It has connections of its own. */
static void be_child(const char* before, ty_Raws own, ty_Raws remote) {
  alarm(PATIENCE);
  check(answers(own) && answers_in_halves(own), before, "an object of the parent's");
  check(answers(remote) && answers_in_halves(remote), before, "a handle of the parent's");
  ty_Raws const another = make(server);
  check(answers(another) && answers_in_halves(another), before, "one of its own");
  _exit(failures == 0 ? 0 : 1);
}

static void test(const char* before) {
  sidl_BaseInterface ex = NULL;
  ty_Raws const own = make(NULL);
  ty_Raws const remote = make(server);
  sidl_rmi_Ticket pending = NULL;
  int status = 1;
  if (strcmp(before, "call") == 0) check(answers(own) && answers(remote), before, "at all");
  if (strcmp(before, "awaited") == 0) check(answers_in_halves(remote), before, "at all");
  if (strcmp(before, "pending") == 0) pending = ty_Raws_dot_send(remote, x, y, 2, &ex);
  const pid_t child = fork();
  if (child == 0) be_child(before, own, remote);
  check(waitpid(child, &status, 0) == child && status == 0, before, "the child");
  check(answers(own) && answers(remote), before, "the parent");
  check(answers_in_halves(remote), before, "the parent, in halves");
  if (pending != NULL) check(receives(remote, pending), before, "its answer");
  ty_Raws_deleteRef(own, &ex);
  ty_Raws_deleteRef(remote, &ex);
}

int main(void) {
  static const char* const befores[] = {"nothing", "call", "awaited", "pending"};
  server = getenv("TY_SERVER");
  for (size_t i = 0; i < sizeof befores / sizeof *befores; ++i) test(befores[i]);
  return failures;
}
