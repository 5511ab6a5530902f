/* Runs scripts (model.py): driver URL|- SCRIPT [SCRIPT OF A THREAD]... */
#include <unistd.h>

#include "dispatch.h"

enum { NEW = 1, CALL, DROP, COPY, TELL, SLOTS = 40, SHARED = 8, OBJECTS = 6, NUMBERS = 16 };
enum { PAD = 6000, THREADS = 16 };

/* A thread's own. */
struct run {
  mx_Cell slots[SLOTS];
  FILE* script;
  FILE* out;
};

static const char* url;

static void put(struct run* r, int64_t slot, mx_Cell cell) {
  mx_Cell const before = slot < 0 ? cell : r->slots[slot];
  if (slot >= 0) r->slots[slot] = cell;
  drop(before);
}

static mx_Cell create(int64_t class_number, int is_far) {
  sidl_BaseInterface ex = NULL;
  mx_Cell cell = NULL;
  if (class_number == 0) {
    cell = is_far ? mx_Cell__createRemote(url, &ex) : mx_Cell__create(&ex);
  } else {
    cell = (mx_Cell)(is_far ? mx_Child__createRemote(url, &ex) : mx_Child__create(&ex));
  }
  if (ex) {
    char text[400];
    mix_thrown(&ex, text);
    printf("cannot create: %s\n", text);
    exit(3);
  }
  return cell;
}

static void call(struct run* r, const int64_t* step) {
  mx_Cell in[OBJECTS] = {NULL}, out[OBJECTS] = {NULL};
  char text[400] = "";
  for (int i = 0; i < OBJECTS; ++i) in[i] = step[4 + i] >= 0 ? hold(r->slots[step[4 + i]]) : NULL;
  mx_Cell const target = hold(r->slots[step[1]]);
  const int64_t code = dispatch(step[2], target, step[3], in, out, text);
  if (code == -2) {
    fprintf(r->out, "no child\n");
  } else if (code == -1) {
    fprintf(r->out, "%s\n", text);
  } else {
    fprintf(r->out, "%lld\n", (long long)code);
  }
  for (int i = 0; i < OBJECTS; ++i) {
    drop(in[i]);
    put(r, code >= 0 && i < got_by(step[2]) ? step[4 + OBJECTS + i] : -1, out[i]);
  }
  drop(target);
}

static void tell(struct run* r, mx_Cell cell) {
  sidl_BaseInterface ex = NULL;
  if (!cell) {
    fprintf(r->out, "null\n");
  } else {
    const long long id = mx_Cell_id(cell, &ex);
    fprintf(r->out, "%lld %lld\n", id, (long long)mx_Cell_total(cell, &ex));
  }
}

static void run(struct run* r, const int64_t* step) {
  sidl_BaseInterface ex = NULL;
  const int64_t slot = step[1];
  if (step[0] == NEW) {
    mx_Cell const made = create(step[2], step[3] && url);
    mx_Cell_setId(made, step[4], &ex);
    put(r, slot, made);
    fprintf(r->out, "new\n");
  } else if (step[0] == DROP) {
    put(r, slot, NULL);
    fprintf(r->out, "drop\n");
  } else if (step[0] == COPY) {
    put(r, slot, hold(r->slots[step[2]]));
    fprintf(r->out, "copy\n");
  } else if (step[0] == TELL || !r->slots[slot]) {
    tell(r, r->slots[slot]);
  } else {
    call(r, step);
  }
}

/* Runs a step above a stack that it must leave as it was. */
static void run_on_pattern(struct run* r, const int64_t* step) {
  volatile unsigned char pad[PAD];
  for (int i = 0; i < PAD; ++i) pad[i] = 0x55;
  run(r, step);
  for (int i = 0; i < PAD; ++i) {
    if (pad[i] != 0x55) {
      printf("the stack was written to: byte %d is %x\n", i, pad[i]);
      exit(4);
    }
  }
}

static void* run_script(void* given) {
  struct run* const r = given;
  int64_t step[NUMBERS] = {0};
  for (long line = 0;; ++line) {
    for (int i = 0; i < NUMBERS; ++i) {
      long long number = 0;
      if (fscanf(r->script, "%lld", &number) != 1) return NULL;
      step[i] = number;
    }
    line % 2 ? run_on_pattern(r, step) : run(r, step);
    fflush(r->out);
  }
}

static void clear(struct run* r) {
  for (int slot = 0; slot < SLOTS; ++slot) put(r, slot, NULL);
}

/* Several scripts at a time; what they say comes one after another. */
static void run_threads(struct run* first, int count, char** scripts) {
  static struct run runs[THREADS];
  static char* said[THREADS];
  static size_t lengths[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < count; ++i) {
    for (int slot = 0; slot < SHARED; ++slot) runs[i].slots[slot] = hold(first->slots[slot]);
    runs[i].script = fopen(scripts[i], "r");
    runs[i].out = open_memstream(&said[i], &lengths[i]);
  }
  for (int i = 0; i < count; ++i) pthread_create(&threads[i], NULL, run_script, &runs[i]);
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < count; ++i) {
    clear(&runs[i]);
    fclose(runs[i].out);
    printf("%s", said[i]);
    free(said[i]);
    fclose(runs[i].script);
  }
  for (int slot = 0; count > 0 && slot < SHARED; ++slot) tell(first, first->slots[slot]);
}

int main(int count, char** arguments) {
  static struct run first;
  url = strcmp(arguments[1], "-") == 0 ? NULL : arguments[1];
  first.script = fopen(arguments[2], "r");
  first.out = stdout;
  run_script(&first);
  run_threads(&first, count - 3, arguments + 3);
  clear(&first);
  fclose(first.script);
  sidl_BaseInterface ex = NULL;
  mx_Cell last = create(0, 0);
  int64_t alive = 0;
  for (int i = 0; i < 500 && (alive = mx_Cell_alive(last, &ex)) != 1; ++i) usleep(20000);
  drop(last);
  printf("end %lld\n", (long long)alive);
  return 0;
}
