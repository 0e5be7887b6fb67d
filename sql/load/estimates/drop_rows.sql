drop table temp.estimate_rows
