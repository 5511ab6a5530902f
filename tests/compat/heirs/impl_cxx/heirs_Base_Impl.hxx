// DO-NOT-DELETE splicer.begin(heirs.Base._implementation)
std::string d_text = "made";
// DO-NOT-DELETE splicer.end(heirs.Base._implementation)
