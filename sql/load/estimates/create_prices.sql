create or replace temp table estimate_prices (
  price_rank double,
  provider varchar,
  model_id varchar,
  response_model varchar,
  price_source varchar,
  price_version varchar,
  valid_from_ms double,
  day_start_ms double,
  day_length_ms double,
  above_tokens double,
  input_rate double,
  output_rate double,
  cache_read_rate double,
  cache_write_rate double,
  cache_write_1h_rate double,
  reasoning_rate double,
  request_rate double
)
