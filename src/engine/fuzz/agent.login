{"id":1,"a":{"key":"sk-ab-1","type":"oauth","expires":1}}
{"id":1,"a":{"key":"sk-ab-2","type":"oauth","expires":2}}