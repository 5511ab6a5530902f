/* What a client may do with mix.Maker, here or on the server that the first argument names: a line
   for each thing, with its result or the exception. */
#include <stdio.h>

#include "mix.h"
#include "sidl_BaseException.h"
#include "sidl_SIDLException.h"

static sidl_BaseInterface ex;

static void say(const char* what, int32_t value) {
  sidl_BaseInterface none = NULL;
  if (ex == NULL) {
    printf("%s %d\n", what, (int)value);
  } else {
    sidl_BaseException thrown = sidl_BaseException__cast(ex, &none);
    char* const note = sidl_BaseException_getNote(thrown, &none);
    printf("%s ! %s\n", what, note);
    sidl_String_free(note);
    sidl_BaseException_deleteRef(thrown, &none);
    sidl_BaseInterface_deleteRef(ex, &none);
    ex = NULL;
  }
  fflush(stdout);
}

static void with_maker(mix_Maker maker) {
  sidl_BaseInterface none = NULL;
  mix_Thing thing = mix_Maker_make(maker, &ex);
  say("make", ex ? 0 : mix_Thing_area(thing, &ex));
  if (thing) mix_Thing_deleteRef(thing, &none);

  sidl_BaseInterface any = mix_Maker_some(maker, &ex);
  thing = ex ? NULL : mix_Thing__cast(any, &ex);
  say("cast", thing ? mix_Thing_area(thing, &ex) : 0);
  if (thing) mix_Thing_deleteRef(thing, &none);
  if (any) sidl_BaseInterface_deleteRef(any, &none);

  const struct mix_Pair__data pair = {.a = 7, .b = 77};
  struct mix_Pair__data swapped = mix_Maker_swap(maker, &pair, &ex);
  say("swap", (int32_t)(swapped.a * 100 + swapped.b));
  say("paint", mix_Maker_paint(maker, mix_Color_green, &ex));

  mix_Ear ear = mix_Ear__create(&ex);
  mix_Listener listener = ear ? mix_Listener__cast(ear, &ex) : NULL;
  say("tell", listener ? mix_Maker_tell(maker, listener, &ex) : 0);
  if (listener) mix_Listener_deleteRef(listener, &none);
  if (ear) mix_Ear_deleteRef(ear, &none);

  /* an object of ours goes to them and comes back */
  thing = mix_Maker_make(maker, &ex);
  if (thing) {
    mix_Thing twin = mix_Thing_twin(thing, thing, &ex);
    say("twin", twin ? mix_Thing_area(twin, &ex) : 0);
    if (twin) mix_Thing_deleteRef(twin, &none);
    mix_Thing_deleteRef(thing, &none);
  } else {
    say("twin", 0);
  }
}

int main(int count, char** arguments) {
  sidl_BaseInterface none = NULL;
  const char* const url = count > 1 ? arguments[1] : NULL;
  mix_Maker maker = url ? mix_Maker__createRemote(url, &ex) : mix_Maker__create(&ex);
  say("create", 0);
  if (maker) with_maker(maker);
  if (maker) mix_Maker_deleteRef(maker, &none);
  if (url) return 0;
  say("static", mix_Maker_one(&ex));
  mix_Thing thing = mix_Thing__create(&ex);
  say("thing", thing ? mix_Thing_area(thing, &ex) : 0);
  if (thing) mix_Thing_deleteRef(thing, &none);
  return 0;
}
