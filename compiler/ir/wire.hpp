// In: nothing; the parts of Protocol Buffers that read bytes, without their warnings.
// Out: CodedInputStream and LogSilencer.
#pragma once

#if defined(__GNUC__)
#pragma GCC system_header
#endif
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/stubs/logging.h>
