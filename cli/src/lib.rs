//! cargo otp (an application's life) and otp-rs (types, schemas, docs)
