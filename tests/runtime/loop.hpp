// A protocol without a network, "loop": every call goes through Invocation, Call, Return and
// Response as with a real one, but to an object of the same process.
#pragma once

#include "rt_LoopHandle.h"
#include "rt_LoopServer.h"
#include "rt_Pipe.h"

namespace rt {

// Announces the protocol and allows rt.Worker, rt.Derived to be created.
void loop_start();

// URL of a local object, valid as long as the object.
char* loop_url(void* object);

// How many messages were sent.
int loop_messages();

// What the next handles say about their objects' types: nullptr for the truth.
void loop_pretend_type(const char* name);

}  // namespace rt
