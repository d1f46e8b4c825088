#include "loading.h"

// Runs when the bundle of the tests is loaded, before XCTest starts the first of them.
__attribute__((constructor)) static void load(void) { faultline_record_results(); }
