#include "confine/confined_process.h"

int main(int argc, char** argv) { return clever::confine::supervisor_main(argc, argv); }
