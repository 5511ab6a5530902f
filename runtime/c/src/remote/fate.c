#include "remote/fate.h"

#include <stddef.h>

#include "object/object.h"

static _Thread_local const struct fate_answer* innermost;

void fate_begin(struct fate_answer* answer, void* thrown, int64_t fate) {
  answer->exception = sidl_cast_borrowed(thrown, &sidl_rmi_NetworkException__info);
  answer->fate = fate;
  answer->outer = innermost;
  innermost = answer;
}

void fate_end(const struct fate_answer* answer) {
  innermost = answer->outer;
}

int64_t fate_to_pack(const struct sidl_rmi_NetworkException__object* exception, int64_t own) {
  return innermost != NULL && innermost->exception == exception ? innermost->fate : own;
}
