BEGIN TRANSACTION;
CREATE TABLE events (
	table_id VARCHAR(32) NOT NULL, 
	number INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	session_id VARCHAR(64), 
	"key" VARCHAR(64) NOT NULL, 
	body TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	PRIMARY KEY (table_id, number), 
	UNIQUE (table_id, session_id, "key"), 
	FOREIGN KEY(table_id) REFERENCES tables (id), 
	FOREIGN KEY(session_id) REFERENCES sessions (id)
);
INSERT INTO "events" VALUES('board',1,0,'bo','k1','{"key":"k1","type":"sit","seat":1,"name":"Bo"}','2026-04-01 18:30:01.250000');
INSERT INTO "events" VALUES('board',2,0,'ada','k2','{"key":"k2","type":"rename","seat":0,"name":"Ada L."}','2026-04-01 18:30:02.500000');
INSERT INTO "events" VALUES('board',3,0,'ada','k3','{"key":"k3","type":"pace","milliseconds":300}','2026-04-01 18:30:03.750000');
INSERT INTO "events" VALUES('board',4,1,'bo','k4','{"key":"k4","version":0,"seat":1,"type":"act","action":{"type":"swap","space":"5,2"},"hold":true}','2026-04-01 18:30:05.000000');
INSERT INTO "events" VALUES('board',5,2,'bo','k5','{"key":"k5","version":1,"seat":1,"type":"undo"}','2026-04-01 18:30:06.250000');
INSERT INTO "events" VALUES('board',6,3,'bo','k6','{"key":"k6","version":2,"seat":1,"type":"act","action":{"type":"swap","space":"-1,2"},"hold":false}','2026-04-01 18:30:07.500000');
INSERT INTO "events" VALUES('board',7,4,NULL,'k7','{"key":"k7","version":3,"seat":2,"type":"act","action":{"type":"swap","space":"-2,3"},"hold":false}','2026-04-01 18:30:08.750000');
INSERT INTO "events" VALUES('board',8,5,'ada','k8','{"key":"k8","version":4,"seat":0,"type":"act","action":{"type":"swap","space":"-1,0"},"hold":true}','2026-04-01 18:30:10.000000');
INSERT INTO "events" VALUES('board',9,6,'ada','k9','{"key":"k9","version":5,"seat":0,"type":"end_turn"}','2026-04-01 18:30:11.250000');
INSERT INTO "events" VALUES('board',10,7,'bo','k10','{"key":"k10","version":6,"seat":1,"type":"act","action":{"type":"build","from":"3,2","site":"4,1","kind":"camp"},"hold":false}','2026-04-01 18:30:12.500000');
INSERT INTO "events" VALUES('board',11,8,'bo','k11','{"key":"k11","version":7,"seat":1,"type":"act","action":{"type":"reinforce","space":"3,-3","count":1},"hold":false}','2026-04-01 18:30:13.750000');
INSERT INTO "events" VALUES('board',12,9,NULL,'k12','{"key":"k12","version":8,"seat":2,"type":"act","action":{"type":"move","from":"-2,4","to":"-3,5"},"hold":true}','2026-04-01 18:30:15.000000');
INSERT INTO "events" VALUES('board',13,10,NULL,'k13','{"key":"k13","version":9,"seat":2,"type":"end_turn"}','2026-04-01 18:30:16.250000');
INSERT INTO "events" VALUES('board',14,11,'ada','k14','{"key":"k14","version":10,"seat":0,"type":"act","action":{"type":"move","from":"2,0","to":"3,-1"},"hold":false}','2026-04-01 18:30:17.500000');
INSERT INTO "events" VALUES('board',15,12,'bo','k15','{"key":"k15","version":11,"seat":1,"type":"act","action":{"type":"build","from":"5,2","site":"4,3","kind":"camp"},"hold":false}','2026-04-01 18:30:18.750000');
INSERT INTO "events" VALUES('board',16,13,'bo','k16','{"key":"k16","version":12,"seat":1,"type":"act","action":{"type":"reinforce","space":"-5,5","count":1},"hold":true}','2026-04-01 18:30:20.000000');
INSERT INTO "events" VALUES('board',17,14,'bo','k17','{"key":"k17","version":13,"seat":1,"type":"end_turn"}','2026-04-01 18:30:21.250000');
INSERT INTO "events" VALUES('board',18,15,NULL,'k18','{"key":"k18","version":14,"seat":2,"type":"act","action":{"type":"move","from":"2,4","to":"3,3"},"hold":false}','2026-04-01 18:30:22.500000');
INSERT INTO "events" VALUES('board',19,16,'ada','k19','{"key":"k19","version":15,"seat":0,"type":"act","action":{"type":"move","from":"-1,0","to":"-2,1"},"hold":false}','2026-04-01 18:30:23.750000');
INSERT INTO "events" VALUES('board',20,17,'bo','k20','{"key":"k20","version":16,"seat":1,"type":"act","action":{"type":"build","from":"5,-1","site":"4,0","kind":"camp"},"hold":true}','2026-04-01 18:30:25.000000');
INSERT INTO "events" VALUES('board',21,18,'bo','k21','{"key":"k21","version":17,"seat":1,"type":"act","action":{"type":"reinforce","space":"1,-3","count":1},"hold":false}','2026-04-01 18:30:26.250000');
INSERT INTO "events" VALUES('board',22,19,NULL,'k22','{"key":"k22","version":18,"seat":2,"type":"act","action":{"type":"move","from":"2,-1","to":"2,0"},"hold":false}','2026-04-01 18:30:27.500000');
INSERT INTO "events" VALUES('board',23,20,'ada','k23','{"key":"k23","version":19,"seat":0,"type":"act","action":{"type":"build","from":"1,-4","site":"0,-3","kind":"camp"},"hold":true}','2026-04-01 18:30:28.750000');
INSERT INTO "events" VALUES('board',24,21,'ada','k24','{"key":"k24","version":20,"seat":0,"type":"undo"}','2026-04-01 18:30:30.000000');
INSERT INTO "events" VALUES('board',25,22,'ada','k25','{"key":"k25","version":21,"seat":0,"type":"act","action":{"type":"build","from":"-2,1","site":"-1,1","kind":"camp","emperor":true},"hold":false}','2026-04-01 18:30:31.250000');
INSERT INTO "events" VALUES('board',26,23,'ada','k26','{"key":"k26","version":22,"seat":0,"type":"act","action":{"type":"reinforce","space":"0,4","count":1,"emperor":true},"hold":false}','2026-04-01 18:30:32.500000');
INSERT INTO "events" VALUES('board',27,24,'bo','k27','{"key":"k27","version":23,"seat":1,"type":"act","action":{"type":"build","from":"0,3","site":"1,3","kind":"camp"},"hold":true}','2026-04-01 18:30:33.750000');
INSERT INTO "events" VALUES('board',28,25,'bo','k28','{"key":"k28","version":24,"seat":1,"type":"act","action":{"type":"reinforce","space":"-4,2","count":1},"hold":false}','2026-04-01 18:30:35.000000');
INSERT INTO "events" VALUES('board',29,26,NULL,'k29','{"key":"k29","version":25,"seat":2,"type":"act","action":{"type":"move","from":"-1,4","to":"-2,3"},"hold":false}','2026-04-01 18:30:36.250000');
INSERT INTO "events" VALUES('board',30,27,'ada','k30','{"key":"k30","version":26,"seat":0,"type":"act","action":{"type":"move","from":"0,4","to":"1,2"},"hold":true}','2026-04-01 18:30:37.500000');
INSERT INTO "events" VALUES('board',31,28,'ada','k31','{"key":"k31","version":27,"seat":0,"type":"end_turn"}','2026-04-01 18:30:38.750000');
INSERT INTO "events" VALUES('board',32,29,'bo','k32','{"key":"k32","version":28,"seat":1,"type":"act","action":{"type":"build","from":"-1,2","site":"-2,2","kind":"camp","emperor":true},"hold":false}','2026-04-01 18:30:40.000000');
INSERT INTO "events" VALUES('board',33,30,'bo','k33','{"key":"k33","version":29,"seat":1,"type":"act","action":{"type":"reinforce","space":"-3,3","count":1,"emperor":true},"hold":false}','2026-04-01 18:30:41.250000');
INSERT INTO "events" VALUES('board',34,31,'bo','k34','{"key":"k34","version":30,"seat":1,"type":"draw","offer":true}','2026-04-01 18:30:42.500000');
INSERT INTO "events" VALUES('board',35,32,NULL,'k35','{"key":"k35","version":31,"seat":2,"type":"act","action":{"type":"move","from":"1,4","to":"3,3"},"hold":false}','2026-04-01 18:30:43.750000');
INSERT INTO "events" VALUES('board',36,33,NULL,'k36','{"key":"k36","version":32,"seat":2,"type":"act","action":{"type":"reinforce","space":"1,0","count":1},"hold":false}','2026-04-01 18:30:45.000000');
INSERT INTO "events" VALUES('board',37,34,'ada','k37','{"key":"k37","version":33,"seat":0,"type":"act","action":{"type":"move","from":"2,-3","to":"1,-2"},"hold":true}','2026-04-01 18:30:46.250000');
INSERT INTO "events" VALUES('cards',1,1,NULL,'deal-0','{"key":"deal-0","type":"deal","order":[8,47,31,70,1,81,41,33,87,44,2,37,66,36,60,24,56,46,57,95,78,21,75,26,93,97,90,55,20,58,51,9,28,23,19,29,73,76,79,80,72,71,62,39,10,38,14,88,42,89,92,45,16,22,84,43,7,68,54,40,77,5,69,13,34,15,96,61,53,67,35,3,98,82,12,86,94,74,64,50,85,63,59,4,83,52,27,65,32,18,11,6,91,25,17,49,48,30]}','2026-04-01 18:30:00.000000');
INSERT INTO "events" VALUES('cards',2,2,'cy','k1','{"key":"k1","type":"intent","seat":0,"action":{"type":"ready","round":1}}','2026-04-01 18:30:01.000000');
INSERT INTO "events" VALUES('cards',3,3,NULL,'bot-2-2','{"key":"bot-2-2","type":"intent","seat":2,"action":{"type":"play","card":81,"on":57}}','2026-04-01 18:30:03.722000');
INSERT INTO "events" VALUES('cards',4,4,NULL,'tick-3','{"key":"tick-3","type":"tick"}','2026-04-01 18:30:08.722000');
INSERT INTO "events" VALUES('cards',5,5,NULL,'bot-1-4','{"key":"bot-1-4","type":"intent","seat":1,"action":{"type":"draw","on":87}}','2026-04-01 18:30:11.581000');
INSERT INTO "events" VALUES('cards',6,6,NULL,'bot-2-5','{"key":"bot-2-5","type":"intent","seat":2,"action":{"type":"draw","on":87}}','2026-04-01 18:30:14.334000');
INSERT INTO "events" VALUES('cards',7,7,NULL,'bot-2-6','{"key":"bot-2-6","type":"intent","seat":2,"action":{"type":"mirror","card":78,"on":87,"effect":"discard","aside":31}}','2026-04-01 18:30:15.901000');
INSERT INTO "events" VALUES('cards',8,8,NULL,'tick-7','{"key":"tick-7","type":"tick"}','2026-04-01 18:30:20.901000');
INSERT INTO "events" VALUES('cards',9,9,NULL,'bot-1-8','{"key":"bot-1-8","type":"intent","seat":1,"action":{"type":"draw","on":2}}','2026-04-01 18:30:23.642000');
INSERT INTO "events" VALUES('cards',10,10,NULL,'bot-2-9','{"key":"bot-2-9","type":"intent","seat":2,"action":{"type":"play","card":1,"on":2}}','2026-04-01 18:30:27.091000');
INSERT INTO "events" VALUES('cards',11,11,NULL,'tick-10','{"key":"tick-10","type":"tick"}','2026-04-01 18:30:32.091000');
INSERT INTO "events" VALUES('cards',12,12,NULL,'tick-11','{"key":"tick-11","type":"tick"}','2026-04-01 18:30:37.091000');
INSERT INTO "events" VALUES('cards',13,13,NULL,'bot-1-12','{"key":"bot-1-12","type":"intent","seat":1,"action":{"type":"play","card":66,"on":37}}','2026-04-01 18:30:38.921000');
INSERT INTO "events" VALUES('cards',14,14,NULL,'bot-1-13','{"key":"bot-1-13","type":"intent","seat":1,"action":{"type":"play","card":46,"on":66}}','2026-04-01 18:30:40.952000');
INSERT INTO "events" VALUES('cards',15,15,NULL,'bot-2-14','{"key":"bot-2-14","type":"intent","seat":2,"action":{"type":"play","card":8,"on":46}}','2026-04-01 18:30:43.931000');
INSERT INTO "events" VALUES('cards',16,16,NULL,'tick-15','{"key":"tick-15","type":"tick"}','2026-04-01 18:30:48.931000');
INSERT INTO "events" VALUES('cards',17,17,NULL,'bot-1-16','{"key":"bot-1-16","type":"intent","seat":1,"action":{"type":"draw","on":8}}','2026-04-01 18:30:50.890000');
INSERT INTO "events" VALUES('cards',18,18,NULL,'bot-2-17','{"key":"bot-2-17","type":"intent","seat":2,"action":{"type":"play","card":47,"on":8}}','2026-04-01 18:30:53.142000');
INSERT INTO "events" VALUES('cards',19,19,NULL,'tick-18','{"key":"tick-18","type":"tick"}','2026-04-01 18:30:58.142000');
INSERT INTO "events" VALUES('cards',20,20,NULL,'bot-1-19','{"key":"bot-1-19","type":"intent","seat":1,"action":{"type":"play","card":95,"on":75}}','2026-04-01 18:31:00.557000');
INSERT INTO "events" VALUES('cards',21,21,NULL,'bot-2-20','{"key":"bot-2-20","type":"intent","seat":2,"action":{"type":"draw","on":95}}','2026-04-01 18:31:02.675000');
INSERT INTO "events" VALUES('cards',22,22,NULL,'tick-21','{"key":"tick-21","type":"tick"}','2026-04-01 18:31:07.675000');
INSERT INTO "events" VALUES('cards',23,23,NULL,'bot-1-22','{"key":"bot-1-22","type":"intent","seat":1,"action":{"type":"play","card":36,"on":95}}','2026-04-01 18:31:10.367000');
INSERT INTO "events" VALUES('cards',24,24,NULL,'bot-2-23','{"key":"bot-2-23","type":"intent","seat":2,"action":{"type":"draw","on":36}}','2026-04-01 18:31:13.444000');
INSERT INTO "events" VALUES('cards',25,25,NULL,'tick-24','{"key":"tick-24","type":"tick"}','2026-04-01 18:31:18.444000');
INSERT INTO "events" VALUES('cards',26,26,NULL,'bot-1-25','{"key":"bot-1-25","type":"intent","seat":1,"action":{"type":"play","card":24,"on":36}}','2026-04-01 18:31:21.897000');
INSERT INTO "events" VALUES('cards',27,27,NULL,'bot-2-26','{"key":"bot-2-26","type":"intent","seat":2,"action":{"type":"draw","on":24}}','2026-04-01 18:31:23.030000');
INSERT INTO "events" VALUES('cards',28,28,NULL,'tick-27','{"key":"tick-27","type":"tick"}','2026-04-01 18:31:28.030000');
INSERT INTO "events" VALUES('cards',29,29,NULL,'bot-1-28','{"key":"bot-1-28","type":"intent","seat":1,"action":{"type":"play","card":26,"on":24}}','2026-04-01 18:31:30.212000');
INSERT INTO "events" VALUES('cards',30,30,NULL,'bot-2-29','{"key":"bot-2-29","type":"intent","seat":2,"action":{"type":"play","card":20,"on":26}}','2026-04-01 18:31:32.220000');
INSERT INTO "events" VALUES('cards',31,31,NULL,'tick-30','{"key":"tick-30","type":"tick"}','2026-04-01 18:31:37.220000');
INSERT INTO "events" VALUES('cards',32,32,NULL,'bot-1-31','{"key":"bot-1-31","type":"intent","seat":1,"action":{"type":"draw","on":20}}','2026-04-01 18:31:39.116000');
INSERT INTO "events" VALUES('cards',33,33,NULL,'bot-2-32','{"key":"bot-2-32","type":"intent","seat":2,"action":{"type":"play","card":93,"on":20}}','2026-04-01 18:31:41.904000');
INSERT INTO "events" VALUES('cards',34,34,NULL,'tick-33','{"key":"tick-33","type":"tick"}','2026-04-01 18:31:46.904000');
INSERT INTO "events" VALUES('cards',35,35,NULL,'bot-1-34','{"key":"bot-1-34","type":"intent","seat":1,"action":{"type":"draw","on":97}}','2026-04-01 18:31:49.021000');
INSERT INTO "events" VALUES('cards',36,36,NULL,'bot-2-35','{"key":"bot-2-35","type":"intent","seat":2,"action":{"type":"draw","on":97}}','2026-04-01 18:31:51.301000');
INSERT INTO "events" VALUES('cards',37,37,NULL,'tick-36','{"key":"tick-36","type":"tick"}','2026-04-01 18:31:56.301000');
INSERT INTO "events" VALUES('cards',38,38,NULL,'bot-1-37','{"key":"bot-1-37","type":"intent","seat":1,"action":{"type":"play","card":56,"on":41}}','2026-04-01 18:31:58.629000');
INSERT INTO "events" VALUES('cards',39,39,NULL,'bot-2-38','{"key":"bot-2-38","type":"intent","seat":2,"action":{"type":"play","card":23,"on":56}}','2026-04-01 18:32:01.123000');
INSERT INTO "events" VALUES('cards',40,40,NULL,'tick-39','{"key":"tick-39","type":"tick"}','2026-04-01 18:32:06.123000');
INSERT INTO "events" VALUES('cards',41,41,NULL,'k2','{"key":"k2","type":"wake"}','2026-04-01 20:32:06.123000');
INSERT INTO "events" VALUES('cards',42,42,NULL,'tick-41','{"key":"tick-41","type":"tick"}','2026-04-01 20:32:11.123000');
INSERT INTO "events" VALUES('cards',43,43,NULL,'bot-1-42','{"key":"bot-1-42","type":"intent","seat":1,"action":{"type":"play","card":28,"on":44}}','2026-04-01 20:32:13.979000');
INSERT INTO "events" VALUES('cards',44,44,NULL,'bot-2-43','{"key":"bot-2-43","type":"intent","seat":2,"action":{"type":"draw","on":28}}','2026-04-01 20:32:16.728000');
INSERT INTO "events" VALUES('cards',45,45,NULL,'tick-44','{"key":"tick-44","type":"tick"}','2026-04-01 20:32:21.728000');
INSERT INTO "events" VALUES('cards',46,46,NULL,'bot-1-45','{"key":"bot-1-45","type":"intent","seat":1,"action":{"type":"play","card":21,"on":19}}','2026-04-01 20:32:23.706000');
INSERT INTO "events" VALUES('cards',47,47,NULL,'bot-2-46','{"key":"bot-2-46","type":"intent","seat":2,"action":{"type":"play","card":70,"on":21}}','2026-04-01 20:32:26.241000');
INSERT INTO "events" VALUES('cards',48,48,NULL,'tick-47','{"key":"tick-47","type":"tick"}','2026-04-01 20:32:31.241000');
INSERT INTO "events" VALUES('cards',49,49,NULL,'bot-1-48','{"key":"bot-1-48","type":"intent","seat":1,"action":{"type":"play","card":60,"on":51}}','2026-04-01 20:32:33.591000');
INSERT INTO "events" VALUES('cards',50,50,NULL,'bot-2-49','{"key":"bot-2-49","type":"intent","seat":2,"action":{"type":"play","card":29,"on":60}}','2026-04-01 20:32:35.585000');
INSERT INTO "events" VALUES('cards',51,51,NULL,'tick-50','{"key":"tick-50","type":"tick"}','2026-04-01 20:32:40.585000');
INSERT INTO "events" VALUES('cards',52,52,NULL,'tick-51','{"key":"tick-51","type":"tick"}','2026-04-01 20:32:45.585000');
INSERT INTO "events" VALUES('cards',53,53,NULL,'bot-1-52','{"key":"bot-1-52","type":"intent","seat":1,"action":{"type":"pass","on":58}}','2026-04-01 20:32:48.103000');
INSERT INTO "events" VALUES('cards',54,54,NULL,'tick-53','{"key":"tick-53","type":"tick"}','2026-04-01 20:32:48.585000');
INSERT INTO "events" VALUES('cards',55,55,NULL,'deal-54','{"key":"deal-54","type":"deal","order":[48,59,12,36,40,45,42,77,50,88,72,75,38,17,47,16,41,60,98,69,80,57,67,31,62,19,27,83,61,28,29,63,84,14,68,1,74,82,90,20,8,65,25,76,66,79,64,97,81,96,46,32,95,52,10,24,70,34,78,7,43,6,3,13,37,9,11,92,71,58,53,18,30,56,73,86,44,94,2,87,93,21,26,4,89,22,15,51,85,23,54,91,39,49,33,55,5,35]}','2026-04-01 20:32:48.585000');
INSERT INTO "events" VALUES('cards',56,56,'cy','k3','{"key":"k3","type":"intent","seat":0,"action":{"type":"ready","round":2}}','2026-04-01 20:32:49.585000');
INSERT INTO "events" VALUES('cards',57,57,NULL,'bot-1-56','{"key":"bot-1-56","type":"intent","seat":1,"action":{"type":"play","card":48,"on":98}}','2026-04-01 20:32:52.194000');
INSERT INTO "events" VALUES('cards',58,58,NULL,'bot-2-57','{"key":"bot-2-57","type":"intent","seat":2,"action":{"type":"play","card":42,"on":48}}','2026-04-01 20:32:53.732000');
INSERT INTO "events" VALUES('cards',59,59,NULL,'tick-58','{"key":"tick-58","type":"tick"}','2026-04-01 20:32:58.732000');
INSERT INTO "events" VALUES('cards',60,60,NULL,'bot-1-59','{"key":"bot-1-59","type":"intent","seat":1,"action":{"type":"play","card":12,"on":16}}','2026-04-01 20:33:02.018000');
INSERT INTO "events" VALUES('cards',61,61,NULL,'bot-2-60','{"key":"bot-2-60","type":"intent","seat":2,"action":{"type":"draw","on":12}}','2026-04-01 20:33:03.347000');
INSERT INTO "events" VALUES('cards',62,62,NULL,'tick-61','{"key":"tick-61","type":"tick"}','2026-04-01 20:33:08.347000');
INSERT INTO "events" VALUES('cards',63,63,NULL,'bot-1-62','{"key":"bot-1-62","type":"intent","seat":1,"action":{"type":"play","card":59,"on":12}}','2026-04-01 20:33:10.264000');
INSERT INTO "events" VALUES('cards',64,64,NULL,'bot-2-63','{"key":"bot-2-63","type":"intent","seat":2,"action":{"type":"play","card":75,"on":59}}','2026-04-01 20:33:12.051000');
INSERT INTO "events" VALUES('cards',65,65,NULL,'tick-64','{"key":"tick-64","type":"tick"}','2026-04-01 20:33:17.051000');
INSERT INTO "events" VALUES('cards',66,66,NULL,'bot-1-65','{"key":"bot-1-65","type":"intent","seat":1,"action":{"type":"play","card":40,"on":80}}','2026-04-01 20:33:19.152000');
INSERT INTO "events" VALUES('cards',67,67,NULL,'bot-2-66','{"key":"bot-2-66","type":"intent","seat":2,"action":{"type":"draw","on":40}}','2026-04-01 20:33:21.934000');
INSERT INTO "events" VALUES('cards',68,68,NULL,'tick-67','{"key":"tick-67","type":"tick"}','2026-04-01 20:33:26.934000');
INSERT INTO "events" VALUES('cards',69,69,NULL,'bot-1-68','{"key":"bot-1-68","type":"intent","seat":1,"action":{"type":"play","card":36,"on":17}}','2026-04-01 20:33:29.453000');
INSERT INTO "events" VALUES('cards',70,70,NULL,'bot-2-69','{"key":"bot-2-69","type":"intent","seat":2,"action":{"type":"draw","on":36}}','2026-04-01 20:33:32.805000');
INSERT INTO "events" VALUES('cards',71,71,NULL,'tick-70','{"key":"tick-70","type":"tick"}','2026-04-01 20:33:37.805000');
INSERT INTO "events" VALUES('cards',72,72,NULL,'bot-1-71','{"key":"bot-1-71","type":"intent","seat":1,"action":{"type":"play","card":45,"on":36}}','2026-04-01 20:33:40.831000');
INSERT INTO "events" VALUES('cards',73,73,NULL,'bot-2-72','{"key":"bot-2-72","type":"intent","seat":2,"action":{"type":"pass","on":45}}','2026-04-01 20:33:42.288000');
INSERT INTO "events" VALUES('cards',74,74,NULL,'tick-73','{"key":"tick-73","type":"tick"}','2026-04-01 20:33:43.831000');
INSERT INTO "events" VALUES('cards',75,75,NULL,'deal-74','{"key":"deal-74","type":"deal","order":[69,64,4,18,90,8,49,87,46,10,2,39,5,33,31,40,94,55,9,83,70,17,16,43,54,76,84,35,37,22,53,45,74,61,44,88,82,25,97,32,13,91,72,81,23,57,20,34,62,52,24,63,27,36,6,19,41,89,71,95,60,21,48,11,66,38,86,75,67,50,80,42,30,78,92,98,65,85,12,68,56,96,3,79,77,1,28,14,15,58,93,26,7,29,59,47,51,73]}','2026-04-01 20:33:43.831000');
CREATE TABLE schema (
	version INTEGER NOT NULL, 
	PRIMARY KEY (version)
);
INSERT INTO "schema" VALUES(1);
CREATE TABLE seats (
	table_id VARCHAR(32) NOT NULL, 
	number INTEGER NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	colour INTEGER NOT NULL, 
	bot VARCHAR(40), 
	session_id VARCHAR(64), 
	PRIMARY KEY (table_id, number), 
	FOREIGN KEY(table_id) REFERENCES tables (id), 
	FOREIGN KEY(session_id) REFERENCES sessions (id)
);
INSERT INTO "seats" VALUES('board',0,'here','Ada',0,NULL,'ada');
INSERT INTO "seats" VALUES('board',1,'open','',1,NULL,NULL);
INSERT INTO "seats" VALUES('board',2,'bot','',2,'greedy',NULL);
INSERT INTO "seats" VALUES('cards',0,'here','Cy',0,NULL,'cy');
INSERT INTO "seats" VALUES('cards',1,'bot','',1,'regular',NULL);
INSERT INTO "seats" VALUES('cards',2,'bot','',2,'expert',NULL);
CREATE TABLE sessions (
	id VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "sessions" VALUES('ada','2026-04-01 18:30:00.000000');
INSERT INTO "sessions" VALUES('bo','2026-04-01 18:30:01.250000');
INSERT INTO "sessions" VALUES('cy','2026-04-01 18:30:00.000000');
CREATE TABLE tables (
	id VARCHAR(32) NOT NULL, 
	game VARCHAR(20) NOT NULL, 
	options TEXT NOT NULL, 
	seed BIGINT NOT NULL, 
	turn_limit INTEGER, 
	created_at DATETIME NOT NULL, 
	waits_for_bot BOOLEAN NOT NULL, 
	is_over BOOLEAN NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('board','eko','{"players": 3, "variants": ["moon", "wind"], "setup": "standard"}',11,30,'2026-04-01 18:30:00.000000',0,0);
INSERT INTO "tables" VALUES('cards','ekko','{"players": 3, "target": 12, "misplays": true, "reaction": 3, "turn_clock": 5, "calm": false, "window": 6, "hints": false}',4,NULL,'2026-04-01 18:30:00.000000',1,0);
CREATE INDEX tables_waiting_for_bots ON tables (waits_for_bot);
COMMIT;
