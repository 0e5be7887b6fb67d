delete from base.usage
where
  usage.usage_seq % 2 = 1
