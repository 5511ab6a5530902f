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

// The deadline that the last call was sent with, in milliseconds; -1: none.
int64_t loop_deadline();

// From now on, nonblocking and oneway calls are executed only when they are answered.
void loop_hold(bool hold);

// How many calls are held; executes number `i` of them, in the order in which they were sent.
int loop_held();
void loop_answer(int i);

// As if the deadline of number `i` passed.
void loop_expire(int i);

// Whether the next tickets can be observed; else a book has to have threads that wait.
void loop_observable(bool observable);

// What the next handles say about their objects' types: nullptr for the truth.
void loop_pretend_type(const char* name);

}  // namespace rt
