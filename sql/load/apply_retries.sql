update base.messages
set
  is_retried = stage_retries.is_retried,
  retry_succeeded = stage_retries.retry_succeeded
from
  stage_retries
where
  messages.load_id = getvariable ('load_id')
  and messages.file_id = stage_retries.file_id
  and messages.entry_seq = stage_retries.entry_seq
