// In: nothing; the only place that includes ANTLR's headers and the code it generates from
// grammar/Sidl.g4.
// Out: antlr4::*, shinar::grammar::SidlLexer and SidlParser.
#pragma once

#include "SidlLexer.h"
#include "SidlParser.h"
