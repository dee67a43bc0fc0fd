CREATE TABLE "favorite" (
	"user_id" uuid NOT NULL,
	"artifact_id" uuid NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "favorite_user_id_artifact_id_pk" PRIMARY KEY("user_id","artifact_id")
);
--> statement-breakpoint
ALTER TABLE "favorite" ADD CONSTRAINT "favorite_user_id_user_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favorite" ADD CONSTRAINT "favorite_artifact_id_artifact_artifact_id_fk" FOREIGN KEY ("artifact_id") REFERENCES "public"."artifact"("artifact_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "favorite_newest" ON "favorite" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "favorite_artifact" ON "favorite" USING btree ("artifact_id");