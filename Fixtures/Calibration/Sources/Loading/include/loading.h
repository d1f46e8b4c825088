// In ResultRecorder.swift of HarnessTests.
void faultline_record_results(void);
