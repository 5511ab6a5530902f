// Settings of the sanitizers, so that the tests need no environment.
extern "C" {

// The tests ask for more memory than there is, on purpose.
const char* __asan_default_options() {
  return "allocator_may_return_null=1:detect_leaks=1:detect_stack_use_after_return=1";
}
const char* __tsan_default_options() {
  return "allocator_may_return_null=1";
}

}  // extern "C"
