drop table temp.estimate_prices
